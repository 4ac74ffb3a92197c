import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import pathDisclosure from "./path-disclosure.ts";

const document = apiDocument({ "/rooms": { get: {} } });
const responding = (json: unknown, status = 200) =>
  fakeApi({ "GET /": { json: {} }, "GET /rooms": { status, json } });

const erring = (body: string) =>
  fakeApi({
    "GET /": { json: {} },
    "GET /rooms": { status: 500, headers: { "content-type": "text/html" }, body },
  });

testCheck(pathDisclosure, {
  positive: [
    {
      name: "the file of a handler",
      document,
      target: responding({ location: "/var/www/dist/rooms/rooms.controller.js" }),
      finding: { severity: "low", location: { method: "GET", path: "/rooms" } },
      count: 1,
    },
    {
      name: "a file of Windows in an error",
      document,
      target: responding({ error: "Could not load C:\\inetpub\\app\\Rooms.cs" }, 500),
      count: 1,
    },
    {
      name: "a file in the text of an error page",
      document,
      target: erring('<script src="/web/node_modules/a/b.js"></script><pre>/var/www/dist/rooms.js</pre>'),
      finding: { observed: "Seen: /var/www/dist/rooms.js." },
      count: 1,
    },
  ],
  negative: [
    {
      name: "scripts of an error page",
      document,
      target: erring(
        '<script src="/web/node_modules/a/b.js"></script><script>import "/app/main.ts"</script><p>No such page</p>',
      ),
    },
    {
      name: "scripts of a page in JSON",
      document,
      target: responding({
        scripts: ["/assets/vendor/jquery.js", "/shop/static/node_modules/a/b.js", "/ui/vendor/a.min.js"],
        seen: "at render (/static/js/app.js:12:3)",
      }),
    },
    {
      name: "paths of addresses",
      document,
      target: responding({ script: "/app/main.js", page: "/home/start.html", image: "/var/www.png" }),
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
      target: responding({ stack: "Error: no\n    at find (/var/www/app/rooms.js:10:5)" }, 500),
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
