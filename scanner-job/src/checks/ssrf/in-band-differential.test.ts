import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import inBandDifferential from "./in-band-differential.ts";

const url = { name: "url", in: "query", required: true, schema: { type: "string", format: "uri" } };
const document = apiDocument({ "/preview": { get: { parameters: [url] } } });
const webhooks = apiDocument({
  "/webhooks/test": {
    post: {
      requestBody: {
        content: {
          "application/json": { schema: { type: "object", properties: { callbackUrl: { type: "string" } } } },
        },
      },
    },
  },
});
const responding = (fetched: (address: string) => FakeResponse) =>
  fakeApi({ "GET /preview": ({ query }) => fetched(query.get("url") ?? "") });
const error = (status: number, message: string): FakeResponse => ({ status, json: { error: message } });

function careless(address: string): FakeResponse {
  if (!URL.canParse(address)) return error(400, "Invalid URL");
  const { hostname, port } = new URL(address);
  if (hostname.endsWith(".invalid")) return error(502, `getaddrinfo ENOTFOUND ${hostname}`);
  return port === "1" ? error(502, "connect ECONNREFUSED 127.0.0.1:1") : { json: { title: "API" } };
}

/** The same without a word on what went wrong, but with another status. */
function laconic(address: string): FakeResponse {
  const { status = 200 } = careless(address);
  if (status === 400) return error(400, "Bad address");
  if (address.includes(".invalid")) return error(404, "Nothing there");
  return status === 502 ? error(502, "Failed") : error(200, "");
}

testCheck(inBandDifferential, {
  positive: [
    {
      name: "a preview that passes on what went wrong",
      document,
      target: responding(careless),
      finding: { severity: "medium", location: { method: "GET", path: "/preview", parameter: "url" } },
      count: 1,
    },
    {
      name: "a preview that distinguishes open ports from closed ones",
      document,
      target: responding(laconic),
      count: 1,
    },
    {
      name: "a test of a webhook",
      document: webhooks,
      target: fakeApi({
        "POST /webhooks/test": ({ body }) =>
          careless((JSON.parse(body) as { callbackUrl: string }).callbackUrl),
      }),
      finding: { location: { method: "POST", path: "/webhooks/test", parameter: "callbackUrl" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "the same response for every address",
      document,
      target: responding(() => error(422, "Not a picture")),
    },
    {
      name: "a response that repeats the address",
      document,
      target: responding((address) => ({ json: { asked: address } })),
    },
    {
      name: "a response that repeats the whole request",
      document,
      target: fakeApi({
        "GET /preview": ({ query, headers }) => ({ json: { query: query.toString(), headers } }),
      }),
    },
    {
      name: "a filter that refuses loopback before it connects",
      document,
      target: responding((address) =>
        address.includes("127.0.0.1") ? error(400, "Private addresses are refused") : careless(address),
      ),
    },
    {
      name: "a redirect to anything that is named",
      document,
      target: responding((address) => ({ status: 302, headers: { location: encodeURI(address) } })),
    },
  ],
  inconclusive: [
    {
      name: "responses that vary by themselves",
      document,
      target: (() => {
        let count = 0;
        const words = "one two three four five six seven eight nine ten".split(" ");
        return responding(() => error(502, words[count++ % 10]!));
      })(),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => error(401, "Unauthorized")),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
    {
      name: "a document without such a parameter",
      document: apiDocument({ "/a": { get: {} } }),
      target: fakeApi({}),
    },
  ],
});
