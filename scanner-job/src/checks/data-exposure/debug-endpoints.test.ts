import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import debugEndpoints from "./debug-endpoints.ts";

testCheck(debugEndpoints, {
  positive: [
    {
      name: "the running configuration",
      target: fakeApi({ "GET /actuator/env": { json: { activeProfiles: [], propertySources: [] } } }),
      finding: { severity: "high", location: { method: "GET", path: "/actuator/env" } },
      count: 1,
    },
    {
      name: "metrics",
      target: fakeApi({ "GET /metrics": { body: "# HELP a b\n# TYPE a_total counter\na_total 1\n" } }),
      finding: { severity: "low" },
      count: 1,
    },
    {
      name: "a profiler",
      target: fakeApi({
        "GET /debug/pprof/": {
          headers: { "content-type": "text/html" },
          body: '<html><a href="/debug/pprof/goroutine">goroutine</a>',
        },
      }),
      count: 1,
    },
  ],
  negative: [
    { name: "a host without them", target: fakeApi({ "GET /": { json: {} } }) },
    {
      name: "endpoints that require credentials",
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
    {
      name: "an app that answers every path with its page",
      target: fakeApi({ "* *": { headers: { "content-type": "text/html" }, body: "<html>app</html>" } }),
    },
    {
      name: "business figures at /metrics, and an actuator that shows its health only",
      target: fakeApi({
        "GET /metrics": { json: { visitors: 3 } },
        "GET /actuator": { json: { _links: { health: { href: "/actuator/health" } } } },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a host whose paths all fail",
      target: fakeApi({ "GET /": { json: {} }, "* *": { status: 500, body: "" } }),
    },
  ],
});
