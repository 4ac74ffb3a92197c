import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import idWrapping from "./id-wrapping.ts";

const document = apiDocument(
  { "/documents": { get: { security: [] } }, "/documents/{documentId}": { get: {} } },
  BEARER,
);
const letter = { json: { id: 1001, title: "Letter", text: "Results enclosed." } };
const list = { json: [{ id: 1001 }] };
const forbidden = { status: 403, json: { error: "Forbidden" } };
const notFound = { status: 404, json: { error: "Not found" } };

testCheck(idWrapping, {
  positive: [
    {
      name: "a document that `.json` gives away",
      document,
      target: fakeApi({
        "GET /documents": list,
        "GET /documents/1001.json": letter,
        "GET /documents/{id}": ({ params }) => (params["id"] === "1001" ? forbidden : notFound),
      }),
      finding: { severity: "high", location: { method: "GET", path: "/documents/{documentId}" } },
      count: 1,
    },
    {
      name: "a document that a slash at the end gives away",
      document,
      target: fakeApi({
        "GET /documents": list,
        "GET /documents/1001/": letter,
        "GET /documents/{id}": forbidden,
      }),
    },
    {
      name: "a guard that knows its path in small letters only",
      document,
      target: fakeApi({
        "GET /documents": list,
        "GET /DOCUMENTS/1001": letter,
        "GET /documents/{id}": forbidden,
      }),
    },
  ],
  negative: [
    {
      name: "a document that is refused in every form",
      document,
      target: fakeApi({ "GET /documents": list, "GET *": forbidden }),
    },
    {
      name: "other forms that lead to an app, regardless of the id",
      document,
      target: fakeApi({
        "GET /documents": list,
        "GET /documents/{id}": ({ path }) =>
          /^\/documents\/\d+$/.test(path) ? forbidden : { json: { app: "shell" } },
        "GET *": { json: { app: "shell" } },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a document that is open in its normal form, which is another weakness",
      document,
      target: fakeApi({ "GET /documents": list, "GET /documents/{id}": letter }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /documents/{id}": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /documents/{id}": { cut: true } }) },
  ],
});
