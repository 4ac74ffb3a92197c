import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import openRedirect from "./open-redirect.ts";

const document = apiDocument({
  "/go": { get: { parameters: [{ name: "to", in: "query", required: true, schema: { type: "string" } }] } },
});
const responding = (respond: (to: string) => FakeResponse) =>
  fakeApi({ "GET /go": ({ query }) => respond(query.get("to") ?? "") });
const to = (location: string): FakeResponse => ({ status: 302, headers: { location } });

testCheck(openRedirect, {
  positive: [
    {
      name: "a redirect to the host that is named",
      document,
      target: responding(to),
      finding: { severity: "medium", location: { method: "GET", path: "/go", parameter: "to" } },
      count: 1,
    },
    {
      name: "a redirect that lets only the scheme out",
      document,
      target: responding((destination) =>
        destination.startsWith("/") ? to(destination) : { status: 400, json: { error: "No" } },
      ),
    },
  ],
  negative: [
    { name: "a refusal", document, target: responding(() => ({ status: 400, json: { error: "No" } })) },
    {
      name: "its own redirect with the value in the query",
      document,
      target: responding((destination) => to(`/leaving?to=${encodeURIComponent(destination)}`)),
    },
    {
      name: "a host that only begins with the value",
      document,
      target: responding((destination) => to(`/x/${destination}`)),
    },
    {
      name: "a response that repeats the value",
      document,
      target: responding((destination) => ({ json: { destination } })),
    },
  ],
  inconclusive: [
    { name: "an operation behind a sign-in", document, target: responding(() => to("/login")) },
    { name: "a firewall", document, target: responding(() => ({ status: 403, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
