import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import pathTraversal from "./path-traversal.ts";

const document = apiDocument({
  "/leaflets": {
    get: { parameters: [{ name: "file", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const answering = (answer: (file: string) => Answer) =>
  fakeApi({ "GET /leaflets": ({ query }) => answer(query.get("file") ?? "") });
const PASSWD = "root:x:0:0:root:/root:/bin/sh\n";
const none: Answer = { status: 404, json: { error: "Not found" } };

testCheck(pathTraversal, {
  positive: [
    {
      name: "a file that is climbed to",
      document,
      target: answering((file) => (/^(\.\.\/)+etc\/passwd$/.test(file) ? { body: PASSWD } : none)),
      finding: { severity: "high", location: { method: "GET", path: "/leaflets", parameter: "file" } },
      count: 1,
    },
    {
      name: "a file of another system, inside JSON",
      document,
      target: answering((file) =>
        file.endsWith("win.ini") ? { json: { text: "; for 16-bit app support\r\n" } } : none,
      ),
      count: 1,
    },
    {
      name: "a filter that takes `../` out once",
      document,
      target: answering((file) =>
        /^(\.\.\/)+etc\/passwd$/.test(file.replaceAll("../", "")) ? { body: PASSWD } : none,
      ),
    },
  ],
  negative: [
    { name: "names that are not found", document, target: answering(() => none) },
    {
      name: "names that are repeated",
      document,
      target: answering((file) => ({ json: { error: `No file ${file}` } })),
    },
  ],
  inconclusive: [
    {
      name: "a server with the same answer to every name",
      document,
      target: answering(() => ({ body: PASSWD })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: answering(() => ({ status: 406, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
