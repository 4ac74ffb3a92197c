import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import traceEnabled from "./trace-enabled.ts";

const echo: Route = ({ headers }) => ({
  headers: { "content-type": "message/http" },
  body: `TRACE / HTTP/1.1\r\nx-glovebox-trace: ${String(headers["x-glovebox-trace"])}\r\n`,
});

testCheck(traceEnabled, {
  positive: [
    {
      name: "a server that repeats what it received",
      target: fakeApi({ "GET /": { json: {} }, "TRACE *": echo }),
      finding: { severity: "low" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a server without TRACE",
      target: fakeApi({ "GET /": { json: {} }, "TRACE *": { status: 405 } }),
    },
    { name: "a server that takes TRACE for GET", target: fakeApi({ "* *": { json: { hello: "world" } } }) },
  ],
  inconclusive: [
    { name: "a server that repeats headers always", target: fakeApi({ "* *": echo }) },
    {
      name: "a server that cuts the connection",
      target: fakeApi({ "GET /": { json: {} }, "TRACE *": { cut: true } }),
    },
  ],
});
