import type { Api } from "../testing/api.ts";
import { testContrast } from "../testing/contrast.ts";
import { dataExposure } from "./data-exposure.ts";

const serves = (path: string, content: RegExp) => async (api: Api) => {
  const { status, text } = await api.get(path);
  return status === 200 && content.test(text);
};

testContrast("data exposure", dataExposure, {
  "The environment file, with its keys, is served": serves("/.env", /^DB_PASSWORD=.+$/m),
  "The Git directory is served": serves("/.git/HEAD", /^ref: refs\/heads\//),
  "The Git configuration is served": serves("/.git/config", /^\[core\]/),
  "The index of debug endpoints is served": serves("/actuator", /"_links"/),
  "The running configuration is served": serves("/actuator/env", /"propertySources"/),
  "Internal metrics are served": serves("/metrics", /^# TYPE /m),
  "A directory is listed": serves("/backup/", /Index of/),
  "The source map gives away the source": serves("/assets/app.js.map", /"sourcesContent"/),
  "Keys and private addresses are in the body": serves("/v2/config", /sk_live_.*AKIA.*10\.20\.0\.15/),
  "Any web page may read answers with the visitor's credentials (CORS reflects the origin)": async (api) => {
    for (const origin of ["https://canary.invalid", "null"]) {
      const { headers } = await api.get("/health", { origin });
      const open = headers["access-control-allow-origin"] === origin;
      if (!open || headers["access-control-allow-credentials"] !== "true") return false;
    }
    return true;
  },
  "The `Server` and `X-Powered-By` banners name versions, and `TRACE` echoes headers": async (api) => {
    const { headers } = await api.get("/health");
    const trace = await api.send("TRACE", "/", { headers: { "x-canary": "here" } });
    return (
      /\d/.test(String(headers.server)) &&
      /\d/.test(String(headers["x-powered-by"])) &&
      trace.text.includes("x-canary: here")
    );
  },
});
