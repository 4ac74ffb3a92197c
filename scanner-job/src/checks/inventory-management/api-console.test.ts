import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import apiConsole from "./api-console.ts";

const page = (body: string): Route => ({
  headers: { "content-type": "text/html" },
  body: `<!doctype html>${body}`,
});

testCheck(apiConsole, {
  positive: [
    {
      name: "Swagger UI",
      target: fakeApi({ "GET /docs": page('<script>SwaggerUIBundle({ url: "/openapi.json" })</script>') }),
      finding: { severity: "info", location: { method: "GET", path: "/docs" } },
      count: 1,
    },
    {
      name: "a console of GraphQL, which only browsers see",
      target: fakeApi({
        "GET /graphql": ({ headers }) =>
          headers.accept?.startsWith("text/html")
            ? { headers: { "content-type": "text/html" }, body: "<html><title>GraphiQL</title>" }
            : { status: 400, json: { errors: [] } },
      }),
      finding: { severity: "low", location: { method: "GET", path: "/graphql" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a host without consoles", target: fakeApi({ "GET /": { json: {} } }) },
    {
      name: "a manual without a console",
      target: fakeApi({ "GET /docs": page("<h1>Manual</h1>How to use swagger") }),
    },
  ],
  inconclusive: [
    {
      name: "a host that faults",
      target: fakeApi({ "GET /": { json: {} }, "* *": { status: 500, body: "" } }),
    },
  ],
});
