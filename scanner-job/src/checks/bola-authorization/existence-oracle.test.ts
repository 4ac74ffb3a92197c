import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import existenceOracle from "./existence-oracle.ts";

const document = apiDocument(
  { "/documents": { get: { security: [] } }, "/documents/{documentId}": { get: {} } },
  BEARER,
);
const forbidden = { status: 403, json: { error: "Forbidden" } };
const notFound = { status: 404, json: { error: "Not found" } };
const responding = (exists: FakeResponse, not: () => FakeResponse) =>
  fakeApi({
    "GET /documents": { json: [{ id: 1001 }] },
    "GET /documents/{id}": ({ params }) => (params["id"] === "1001" ? exists : not()),
  });

testCheck(existenceOracle, {
  positive: [
    {
      name: "a document that is forbidden where others are not found",
      document,
      target: responding(forbidden, () => notFound),
      finding: { severity: "low", location: { method: "GET", path: "/documents/{documentId}" } },
      count: 1,
    },
    {
      name: "a refusal with another text, with the same status",
      document,
      target: responding({ status: 403, json: { error: "Owned by another account" } }, () => ({
        status: 403,
        json: { reason: "nothing here" },
      })),
    },
    {
      name: "a document that is forbidden where ids of no document fail with a fault",
      document,
      target: responding(forbidden, () => ({ status: 500, json: {} })),
    },
  ],
  negative: [
    { name: "the same refusal for every id", document, target: responding(forbidden, () => forbidden) },
    {
      name: "a published document that is refused otherwise than private and nonexistent ones",
      document,
      target: fakeApi({
        "GET /documents": { json: [{ id: 1001 }, { id: 1002 }] },
        "GET /documents/{id}": ({ params }) => (params["id"] === "1001" ? forbidden : notFound),
      }),
    },
    { name: "a document that is not found either", document, target: responding(notFound, () => notFound) },
    {
      name: "a document that is returned, which is another weakness",
      document,
      target: responding({ json: { id: 1001 } }, () => notFound),
    },
    {
      name: "a refusal that repeats the id",
      document,
      target: fakeApi({
        "GET /documents": { json: [{ id: 1001 }] },
        "GET /documents/{id}": ({ params }) => ({
          status: 403,
          json: { error: `No access to ${params["id"]}` },
        }),
      }),
    },
  ],
  inconclusive: [
    { name: "a fault", document, target: responding({ status: 500, json: {} }, () => notFound) },
    {
      name: "responses for ids that cannot exist that differ each time",
      document,
      target: (() => {
        let count = 0;
        return responding(forbidden, () => (count++ % 2 ? notFound : { status: 400, json: {} }));
      })(),
    },
    {
      name: "a connection that is cut",
      document,
      target: responding(forbidden, () => ({ cut: true })),
    },
  ],
});
