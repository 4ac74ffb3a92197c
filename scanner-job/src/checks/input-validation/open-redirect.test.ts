import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import openRedirect from "./open-redirect.ts";

const document = apiDocument({
  "/go": { get: { parameters: [{ name: "to", in: "query", required: true, schema: { type: "string" } }] } },
});
const answering = (answer: (to: string) => Answer) =>
  fakeApi({ "GET /go": ({ query }) => answer(query.get("to") ?? "") });
const to = (location: string): Answer => ({ status: 302, headers: { location } });

testCheck(openRedirect, {
  positive: [
    {
      name: "a redirect to the host that is named",
      document,
      target: answering(to),
      finding: { severity: "medium", location: { method: "GET", path: "/go", parameter: "to" } },
      count: 1,
    },
    {
      name: "a redirect that lets only the scheme out",
      document,
      target: answering((place) =>
        place.startsWith("/") ? to(place) : { status: 400, json: { error: "No" } },
      ),
    },
  ],
  negative: [
    { name: "a refusal", document, target: answering(() => ({ status: 400, json: { error: "No" } })) },
    {
      name: "a redirect of its own with the value in the query",
      document,
      target: answering((place) => to(`/leaving?to=${encodeURIComponent(place)}`)),
    },
    {
      name: "a host that only begins with the value",
      document,
      target: answering((place) => to(`/x/${place}`)),
    },
    {
      name: "an answer that repeats the value",
      document,
      target: answering((place) => ({ json: { place } })),
    },
  ],
  inconclusive: [
    { name: "an operation behind a sign-in", document, target: answering(() => to("/login")) },
    { name: "a firewall", document, target: answering(() => ({ status: 403, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
