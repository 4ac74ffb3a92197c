import { type Fetched, fetchAsTheServer } from "../outgoing.ts";
import { invalid, json, objectIn, ok, text, textOf } from "../reply.ts";
import { type Reply, type Route, type Schema, weak } from "../route.ts";

const ADDRESS: Schema = { type: "string", maxLength: 300 };
const REFUSED = "must be a picture of images.larkfield.test";

/** Requests that the server makes for whoever asks. Where they may really go: see outgoing.ts. */
export const serverSideRequests: Route[] = [
  {
    method: "GET",
    path: "/v2/pictures/preview",
    access: "public",
    operation: {
      summary: "Preview a picture",
      tag: "Pictures",
      parameters: [
        {
          name: "url",
          in: "query",
          required: true,
          schema: ADDRESS,
          example: "https://images.larkfield.test/ward.png",
        },
      ],
    },
    weaknesses: [
      weak("ssrf", "`url` is fetched wherever it leads, and the answer is shown"),
      weak("ssrf", "Refused, unknown and silent hosts are told apart by error and time"),
      weak("unsafeConsumption", "The HTTP client's own error is passed on"),
    ],
    vulnerable: async (call, { origin }) =>
      answered(await fetchAsTheServer(call.query.get("url") ?? "", origin)),
    hardened: () => invalid(`url: ${REFUSED}`),
  },
  {
    method: "POST",
    path: "/v2/webhooks/test",
    access: "user",
    operation: {
      summary: "Try a webhook address",
      tag: "Webhooks",
      body: { type: "object", required: ["callbackUrl"], properties: { callbackUrl: ADDRESS } },
    },
    weaknesses: [weak("ssrf", "`callbackUrl` is called wherever it leads, for anybody")],
    vulnerable: async (call, { origin }) => {
      const fetched = await fetchAsTheServer(textOf(objectIn(call).callbackUrl), origin);
      return ok({ delivered: "status" in fetched, ...fetched });
    },
    hardened: () => invalid("callbackUrl: is not a registered address"),
  },
  {
    method: "GET",
    path: "/latest/meta-data/",
    access: "public",
    weaknesses: [
      weak("ssrf", "With `Host: 169.254.169.254` the gateway passes the request on to the cloud's metadata"),
    ],
    vulnerable: (call) =>
      call.headers.host === "169.254.169.254"
        ? text(200, "text/plain; charset=utf-8", "ami-id\ninstance-id\nlocal-ipv4\niam/\n")
        : json(404, { error: "Cannot GET /latest/meta-data/" }),
  },
];

function answered(fetched: Fetched): Reply {
  if ("status" in fetched) return text(200, fetched.contentType, fetched.body);
  const { code, message, host } = fetched;
  return json(502, {
    error: message,
    cause: {
      name: "AxiosError",
      code,
      config: { url: `http://${host}`, headers: { "User-Agent": "axios/0.21.1" } },
    },
  });
}
