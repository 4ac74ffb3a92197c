import { fakeApi, type Answer, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import hostRedirect from "./host-redirect.ts";

const answering = (answer: (incoming: Incoming) => Answer) => fakeApi({ "GET /": answer });
const to = (host: unknown): Answer => ({ status: 302, headers: { location: `http://${String(host)}/docs` } });

testCheck(hostRedirect, {
  positive: [
    {
      name: "a redirect to the forwarded host",
      target: answering(({ headers }) => to(headers["x-forwarded-host"] ?? headers.host)),
      finding: { severity: "medium", location: { method: "GET", path: "/" } },
      count: 1,
    },
    {
      name: "a redirect to the host of the request",
      target: answering(({ headers }) => to(headers.host)),
      finding: { severity: "low" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a relative redirect",
      target: answering(() => ({ status: 302, headers: { location: "/docs" } })),
    },
    { name: "a redirect to a host of its own", target: answering(() => to("api.invalid")) },
    { name: "no redirect", target: answering(() => ({ json: {} })) },
    {
      name: "foreign hosts that are refused",
      target: answering(({ headers }) =>
        headers.host?.endsWith(".invalid") ? { status: 421, json: {} } : to("127.0.0.1"),
      ),
    },
  ],
  inconclusive: [
    { name: "a fault", target: answering(() => ({ status: 500, json: {} })) },
    {
      name: "a connection that is cut",
      target: answering(({ headers }) => (headers["x-forwarded-host"] ? { cut: true } : to(headers.host))),
    },
  ],
});
