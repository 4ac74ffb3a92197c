import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import pathDisclosure from "./path-disclosure.ts";

const document = apiDocument({ "/rooms": { get: {} } });
const answering = (json: unknown, status = 200) =>
  fakeApi({ "GET /": { json: {} }, "GET /rooms": { status, json } });

testCheck(pathDisclosure, {
  positive: [
    {
      name: "the file of a handler",
      document,
      target: answering({ location: "/var/www/dist/rooms/rooms.controller.js" }),
      finding: { severity: "low", location: { method: "GET", path: "/rooms" } },
      count: 1,
    },
    {
      name: "a file of Windows in an error",
      document,
      target: answering({ error: "Could not load C:\\inetpub\\app\\Rooms.cs" }, 500),
      count: 1,
    },
  ],
  negative: [
    {
      name: "paths of addresses",
      document,
      target: answering({ script: "/app/main.js", page: "/home/start.html", image: "/var/www.png" }),
    },
    {
      name: "a path that was asked for",
      document: apiDocument({
        "/rooms": { get: { parameters: [{ name: "file", in: "query", example: "/var/www/app/a.php" }] } },
      }),
      target: fakeApi({
        "GET /": { json: {} },
        "GET /rooms": ({ query }) => ({ json: { missing: query.get("file") } }),
      }),
    },
    {
      name: "a trace, which is reported as such",
      document,
      target: answering({ stack: "Error: no\n    at find (/var/www/app/rooms.js:10:5)" }, 500),
    },
  ],
  inconclusive: [
    {
      name: "a firewall before the host",
      document,
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
