import { fakeApi, type FakeResponse, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import hostRoutedMetadata from "./host-routed-metadata.ts";

const METADATA = "ami-id\ninstance-id\ninstance-type\n";
const routing = (respond: (incoming: Incoming) => FakeResponse) =>
  fakeApi({ "GET /": { json: {} }, "* *": respond });
const isMetadata = ({ headers, path }: Incoming): boolean =>
  headers.host === "169.254.169.254" && path.startsWith("/latest/");

testCheck(hostRoutedMetadata, {
  positive: [
    {
      name: "a gateway that routes by the header",
      target: routing((incoming) => (isMetadata(incoming) ? { body: METADATA } : { status: 404, json: {} })),
      finding: { severity: "critical", location: { method: "GET", path: "/latest/meta-data/" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a target that knows no such path", target: routing(() => ({ status: 404, json: {} })) },
    { name: "a target that refuses other hosts", target: routing(() => ({ status: 421, json: {} })) },
    {
      name: "a page with such words",
      target: routing((incoming) => ({
        headers: { "content-type": "text/html" },
        body: isMetadata(incoming) ? METADATA : "",
      })),
    },
  ],
  inconclusive: [
    { name: "a target that itself returns such words", target: routing(() => ({ body: METADATA })) },
    {
      name: "faults only",
      target: routing(({ headers }) => ({
        status: headers.host === "169.254.169.254" ? 502 : 404,
        json: {},
      })),
    },
    {
      name: "a connection that is cut",
      target: routing(({ headers }) =>
        headers.host === "169.254.169.254" ? { cut: true } : { status: 404 },
      ),
    },
  ],
});
