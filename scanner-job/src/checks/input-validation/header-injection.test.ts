import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import headerInjection from "./header-injection.ts";

const document = apiDocument({
  "/go": {
    get: {
      parameters: [{ name: "to", in: "query", required: true, schema: { type: "string" }, example: "/docs" }],
    },
  },
});
const responding = (respond: (to: string) => FakeResponse) =>
  fakeApi({ "GET /go": ({ query }) => respond(query.get("to") ?? "") });

/** What a server does that writes a value into a header as it is. */
function split(to: string, separator: RegExp): FakeResponse {
  const [first = "", ...lines] = to.split(separator);
  const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
  return { status: 302, headers: { location: encodeURI(first), ...headers } };
}

testCheck(headerInjection, {
  positive: [
    {
      name: "its own header",
      document,
      target: responding((to) => split(to, /\r\n/)),
      finding: { severity: "medium", location: { method: "GET", path: "/go", parameter: "to" } },
      count: 1,
    },
    { name: "a header after a bare line feed", document, target: responding((to) => split(to, /(?<!\r)\n/)) },
  ],
  negative: [
    {
      name: "a value that is encoded",
      document,
      target: responding((to) => ({ status: 302, headers: { location: encodeURI(to) } })),
    },
    {
      name: "a value that is refused",
      document,
      target: responding(() => ({ status: 400, json: { error: "No" } })),
    },
    { name: "a value that is repeated in the body", document, target: responding((to) => ({ body: to })) },
  ],
  inconclusive: [
    { name: "headers of any text", document, target: responding((to) => split(to, /\s+(?=glovebox-)/)) },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
