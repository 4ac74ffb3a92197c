import type { Api } from "../testing/api.ts";
import { testContrast } from "../testing/contrast.ts";
import { serverSideRequests } from "./server-side-requests.ts";

const preview = async (api: Api, url: string) =>
  (await api.get(`/v2/pictures/preview?url=${encodeURIComponent(url)}`)).text;

testContrast("server-side requests", serverSideRequests, {
  "`url` is fetched wherever it leads, and the answer is shown": async (api) =>
    (await preview(api, `${api.demo.url}/health`)) === (await api.get("/health")).text &&
    /ami-id\n.*instance-id/s.test(await preview(api, "http://169.254.169.254/latest/meta-data/")),
  "Refused, unknown and silent hosts are told apart by error and time": async (api) => {
    const addresses = ["http://127.0.0.1:1/", "http://canary.invalid/", "http://192.0.2.1/"];
    const [refused, unknown, silent] = await Promise.all(addresses.map((url) => preview(api, url)));
    return (
      refused!.includes("ECONNREFUSED") && unknown!.includes("ENOTFOUND") && silent!.includes("ETIMEDOUT")
    );
  },
  "The HTTP client's own error is passed on": async (api) =>
    (await preview(api, "http://canary.invalid/")).includes("AxiosError"),
  "`callbackUrl` is called wherever it leads, for anybody": async (api) => {
    const body = { callbackUrl: `${api.demo.url}/health` };
    return (await api.send("POST", "/v2/webhooks/test", { body })).text.includes('"delivered":true');
  },
  "With `Host: 169.254.169.254` the gateway passes the request on to the cloud's metadata": async (api) =>
    (await api.get("/latest/meta-data/", { host: "169.254.169.254" })).text.includes("ami-id"),
});
