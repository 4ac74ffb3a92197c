import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import metadataReachable from "./metadata-reachable.ts";

const document = apiDocument({
  "/preview": { get: { parameters: [{ name: "url", in: "query", schema: { type: "string" } }] } },
});
const responding = (fetched: (address: string) => FakeResponse) =>
  fakeApi({ "GET /preview": ({ query }) => fetched(query.get("url") ?? "") });
const METADATA = "ami-id\ninstance-id\ninstance-type\nlocal-ipv4\n";

testCheck(metadataReachable, {
  positive: [
    {
      name: "the directory of a metadata service",
      document,
      target: responding((address) =>
        address.startsWith("http://169.254.169.254/latest/")
          ? { body: METADATA }
          : { status: 502, json: { error: "Failed" } },
      ),
      finding: { severity: "critical", location: { method: "GET", path: "/preview", parameter: "url" } },
      count: 1,
    },
    {
      name: "another provider's document, wrapped in JSON",
      document,
      target: responding((address) => ({
        json: {
          content:
            address.endsWith("v1.json") && address.includes("169.254")
              ? '{"droplet_id":1,"vendor_data":""}'
              : "",
        },
      })),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a response that repeats the address",
      document,
      target: responding((address) => ({ json: { address } })),
    },
    {
      name: "a refusal of such addresses",
      document,
      target: responding(() => ({ status: 422, json: { error: "No" } })),
    },
    { name: "one such word", document, target: responding(() => ({ body: "instance-id" })) },
  ],
  inconclusive: [
    {
      name: "an operation with such words in every response",
      document,
      target: responding(() => ({ body: METADATA })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
