import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { ANN, BEN, callerIn, signedIn } from "../../testing/callers.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import serviceSecretsAsUser from "./service-secrets-as-user.ts";

const document = apiDocument({ "/integrations": { get: {} } }, BEARER);
const identities = [ANN, BEN];
const keyOf = (end: string) => ({ json: { name: "mail", key: `key-0f1e2d3c4b5a69788796a5b4c3d2e1${end}` } });

testCheck(serviceSecretsAsUser, {
  positive: [
    {
      name: "the key of a service that every user gets",
      document,
      identities,
      target: fakeApi({ "GET /integrations": signedIn(keyOf("f0")) }),
      finding: { severity: "high", confidence: "firm", location: { method: "GET", path: "/integrations" } },
      count: 1,
    },
    {
      name: "one in a scan of a single user with less confidence",
      document,
      identities: [ANN],
      target: fakeApi({ "GET /integrations": signedIn(keyOf("f0")) }),
      finding: { severity: "medium", confidence: "tentative" },
    },
  ],
  negative: [
    {
      name: "a key of each user's own",
      document,
      identities,
      target: fakeApi({
        "GET /integrations": signedIn((incoming) => keyOf(callerIn(incoming) === "ann" ? "a1" : "b2")),
      }),
    },
    {
      name: "a response without a key",
      document,
      identities,
      target: fakeApi({ "GET /integrations": signedIn({ json: { name: "mail" } }) }),
    },
  ],
  inconclusive: [
    {
      name: "a key that anybody gets, which another check reports",
      document,
      identities,
      target: fakeApi({ "GET /integrations": keyOf("f0") }),
    },
  ],
});
