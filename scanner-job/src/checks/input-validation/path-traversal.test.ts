import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import pathTraversal from "./path-traversal.ts";

const document = apiDocument({
  "/leaflets": {
    get: { parameters: [{ name: "file", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const responding = (respond: (file: string) => FakeResponse) =>
  fakeApi({ "GET /leaflets": ({ query }) => respond(query.get("file") ?? "") });
const PASSWD = "root:x:0:0:root:/root:/bin/sh\n";
const none: FakeResponse = { status: 404, json: { error: "Not found" } };

testCheck(pathTraversal, {
  positive: [
    {
      name: "a file that is climbed to",
      document,
      target: responding((file) => (/^(\.\.\/)+etc\/passwd$/.test(file) ? { body: PASSWD } : none)),
      finding: { severity: "high", location: { method: "GET", path: "/leaflets", parameter: "file" } },
      count: 1,
    },
    {
      name: "a file of another system, inside JSON",
      document,
      target: responding((file) =>
        file.endsWith("win.ini") ? { json: { text: "; for 16-bit app support\r\n" } } : none,
      ),
      count: 1,
    },
    {
      name: "a filter that takes `../` out once",
      document,
      target: responding((file) =>
        /^(\.\.\/)+etc\/passwd$/.test(file.replaceAll("../", "")) ? { body: PASSWD } : none,
      ),
    },
  ],
  negative: [
    { name: "names that are not found", document, target: responding(() => none) },
    {
      name: "names that are repeated",
      document,
      target: responding((file) => ({ json: { error: `No file ${file}` } })),
    },
  ],
  inconclusive: [
    {
      name: "a server with the same response for every name",
      document,
      target: responding(() => ({ body: PASSWD })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: responding(() => ({ status: 406, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
