import type { Api } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { serverSideRequests } from "./server-side-requests.ts";

const preview = async (api: Api, url: string) =>
  (await api.get(`/v2/pictures/preview?url=${encodeURIComponent(url)}`)).text;

testWeaknesses("server-side requests", serverSideRequests, {
  "Server-side request forgery in `url`, which returns the response": async (api) =>
    (await preview(api, `${api.demo.url}/health`)) === (await api.get("/health")).text &&
    /ami-id\n.*instance-id/s.test(await preview(api, "http://169.254.169.254/latest/meta-data/")),
  "Closed ports, unknown hosts and filtered hosts differ in error and response time": async (api) => {
    const addresses = ["http://127.0.0.1:1/", "http://canary.invalid/", "http://192.0.2.1/"];
    const [refused, unknown, silent] = await Promise.all(addresses.map((url) => preview(api, url)));
    return (
      refused!.includes("ECONNREFUSED") && unknown!.includes("ENOTFOUND") && silent!.includes("ETIMEDOUT")
    );
  },
  "Errors of the HTTP client are returned": async (api) =>
    (await preview(api, "http://canary.invalid/")).includes("AxiosError"),
  "Server-side request forgery in `callbackUrl`, without credentials": async (api) => {
    const body = { callbackUrl: `${api.demo.url}/health` };
    return (await api.send("POST", "/v2/webhooks/test", { body })).text.includes('"delivered":true');
  },
  "With `Host: 169.254.169.254`, the gateway forwards the request to the cloud metadata service": async (
    api,
  ) => (await api.get("/latest/meta-data/", { host: "169.254.169.254" })).text.includes("ami-id"),
});
