import { type Fetched, simulatedFetch } from "../outgoing.ts";
import { invalid, json, objectIn, ok, text, textOf } from "../response.ts";
import { type RouteResponse, type Route, type Schema, weak } from "../route.ts";

const ADDRESS: Schema = { type: "string", maxLength: 300 };
const REFUSED = "must be a picture of images.larkfield.test";

/** Server-side request forgery. outgoing.ts limits which requests are really sent. */
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
      weak("ssrf", "Server-side request forgery in `url`, which returns the response"),
      weak("ssrf", "Closed ports, unknown hosts and filtered hosts differ in error and response time"),
      weak("unsafeConsumption", "Errors of the HTTP client are returned"),
    ],
    vulnerable: async (call, { origin }) =>
      forwarded(await simulatedFetch(call.query.get("url") ?? "", origin)),
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
    weaknesses: [weak("ssrf", "Server-side request forgery in `callbackUrl`, without credentials")],
    vulnerable: async (call, { origin }) => {
      const fetched = await simulatedFetch(textOf(objectIn(call).callbackUrl), origin);
      return ok({ delivered: "status" in fetched, ...fetched });
    },
    hardened: () => invalid("callbackUrl: is not a registered address"),
  },
  {
    method: "GET",
    path: "/latest/meta-data/",
    access: "public",
    weaknesses: [
      weak(
        "ssrf",
        "With `Host: 169.254.169.254`, the gateway forwards the request to the cloud metadata service",
      ),
    ],
    vulnerable: (call) =>
      call.headers.host === "169.254.169.254"
        ? text(200, "text/plain; charset=utf-8", "ami-id\ninstance-id\nlocal-ipv4\niam/\n")
        : json(404, { error: "Cannot GET /latest/meta-data/" }),
  },
];

function forwarded(fetched: Fetched): RouteResponse {
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
