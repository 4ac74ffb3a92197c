import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import fullResponseFetch from "./full-response-fetch.ts";

const document = apiDocument({
  "/preview": {
    get: { parameters: [{ name: "url", in: "query", required: true, schema: { type: "string" } }] },
  },
  "/about": { get: {} },
});
const about = {
  company: "Larkfield",
  opened: "in the year of the great storm",
  rooms: [{ name: "Harbour" }],
};
const reversed = Object.fromEntries(Object.entries(about).toReversed());
const responding = (fetched: (address: string) => FakeResponse, known: FakeResponse = { json: about }) =>
  fakeApi({ "GET /preview": ({ query }) => fetched(query.get("url") ?? ""), "GET /about": known });
const isAbout = (address: string): boolean =>
  address.startsWith("http://127.0.0.1") && address.endsWith("/about");
const failed: FakeResponse = { status: 502, json: { error: "Failed" } };

testCheck(fullResponseFetch, {
  positive: [
    {
      name: "a preview that passes on what it fetched",
      document,
      target: responding((address) => (isAbout(address) ? { json: about } : failed)),
      finding: { severity: "high", location: { method: "GET", path: "/preview", parameter: "url" } },
      count: 1,
    },
    {
      name: "a preview that wraps what it fetched",
      document,
      target: responding((address) =>
        isAbout(address) ? { json: { body: JSON.stringify(about) } } : failed,
      ),
      count: 1,
    },
    {
      name: "a preview that forbids loopback by its common spelling only",
      document,
      target: responding((address) =>
        new RegExp("^http://2130706433:\\d+/about$").test(address) ? { json: about } : failed,
      ),
      count: 1,
    },
    {
      name: "a preview that encodes what it fetched",
      document,
      target: responding((address) =>
        isAbout(address)
          ? { json: { image: Buffer.from(JSON.stringify(about)).toString("base64") } }
          : failed,
      ),
      count: 1,
    },
  ],
  negative: [
    { name: "a preview that refuses", document, target: responding(() => failed) },
    {
      name: "a preview that repeats the address",
      document,
      target: responding((address) => ({ json: { address } })),
    },
    {
      name: "a preview that fetched without a word of it",
      document,
      target: responding(() => ({ json: { status: 200 } })),
    },
  ],
  inconclusive: [
    {
      name: "a preview that shows one of two contents at random",
      document,
      target: (() => {
        // The first examination goes as for a preview that fetches, until the rounds begin.
        let asked = 0;
        return responding((address) =>
          isAbout(address)
            ? { json: asked++ < 1 ? about : { other: "content" } }
            : { json: { other: "content" } },
        );
      })(),
    },
    {
      name: "an operation that always shows that content",
      document,
      target: responding(() => ({ json: about })),
    },
    {
      name: "an operation that always shows that content, in a varying order",
      document,
      target: responding((address) => ({ json: isAbout(address) ? about : reversed })),
    },
    {
      name: "a target without a known resource",
      document,
      target: responding(() => failed, { status: 404, json: {} }),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
