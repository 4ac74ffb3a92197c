import { fakeApi, type FakeResponse, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import hostRedirect from "./host-redirect.ts";

const responding = (respond: (incoming: Incoming) => FakeResponse) => fakeApi({ "GET /": respond });
const to = (host: unknown): FakeResponse => ({
  status: 302,
  headers: { location: `http://${String(host)}/docs` },
});

testCheck(hostRedirect, {
  positive: [
    {
      name: "a redirect to the forwarded host",
      target: responding(({ headers }) => to(headers["x-forwarded-host"] ?? headers.host)),
      finding: { severity: "medium", location: { method: "GET", path: "/" } },
      count: 1,
    },
    {
      name: "a redirect to the host of the request",
      target: responding(({ headers }) => to(headers.host)),
      finding: { severity: "low" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a relative redirect",
      target: responding(() => ({ status: 302, headers: { location: "/docs" } })),
    },
    { name: "a redirect to its own host", target: responding(() => to("api.invalid")) },
    { name: "no redirect", target: responding(() => ({ json: {} })) },
    {
      name: "other hosts that are refused",
      target: responding(({ headers }) =>
        headers.host?.endsWith(".invalid") ? { status: 421, json: {} } : to("127.0.0.1"),
      ),
    },
  ],
  inconclusive: [
    { name: "a fault", target: responding(() => ({ status: 500, json: {} })) },
    {
      name: "a connection that is cut",
      target: responding(({ headers }) => (headers["x-forwarded-host"] ? { cut: true } : to(headers.host))),
    },
  ],
});
