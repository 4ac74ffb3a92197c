import type { Api } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { dataExposure } from "./data-exposure.ts";

const serves = (path: string, content: RegExp) => async (api: Api) => {
  const { status, text } = await api.get(path);
  return status === 200 && content.test(text);
};

testWeaknesses("data exposure", dataExposure, {
  "The environment file with its secrets is public": serves("/.env", /^DB_PASSWORD=.+$/m),
  "The Git directory is public": serves("/.git/HEAD", /^ref: refs\/heads\//),
  "The Git configuration is public": serves("/.git/config", /^\[core\]/),
  "The index of debug endpoints is public": serves("/actuator", /"_links"/),
  "The runtime configuration is public": serves("/actuator/env", /"propertySources"/),
  "Internal metrics are public": serves("/metrics", /^# TYPE /m),
  "Directory listing is enabled": serves("/backup/", /Index of/),
  "The source map contains the source code": serves("/assets/app.js.map", /"sourcesContent"/),
  "The response contains keys and private addresses": serves("/v2/config", /sk_live_.*AKIA.*10\.20\.0\.15/),
  "CORS reflects any origin and allows credentials": async (api) => {
    for (const origin of ["https://canary.invalid", "null"]) {
      const { headers } = await api.get("/health", { origin });
      const open = headers["access-control-allow-origin"] === origin;
      if (!open || headers["access-control-allow-credentials"] !== "true") return false;
    }
    return true;
  },
  "The `Server` and `X-Powered-By` headers contain versions, and `TRACE` is enabled": async (api) => {
    const { headers } = await api.get("/health");
    const trace = await api.send("TRACE", "/", { headers: { "x-canary": "here" } });
    return (
      /\d/.test(String(headers.server)) &&
      /\d/.test(String(headers["x-powered-by"])) &&
      trace.text.includes("x-canary: here")
    );
  },
});
