import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import documentedButAbsent from "./documented-but-absent.ts";

const document = apiDocument({ "/things": { get: {} }, "/faxes": { get: {} } });
const things: Route = { json: { things: [{ id: 1 }] } };
const objects = apiDocument({
  "/things": { get: {} },
  "/things/{thingId}": { get: {} },
  "/faxes/{faxId}": { get: {} },
});

testCheck(documentedButAbsent, {
  positive: [
    {
      name: "an operation without a trace",
      document,
      target: fakeApi({ "GET /things": things }),
      finding: { severity: "info", location: { method: "GET", path: "/faxes" } },
      count: 1,
    },
    {
      name: "an object's operation where missing objects have another response",
      document: objects,
      target: fakeApi({
        "GET /things": things,
        "GET /things/{id}": ({ params }) =>
          params["id"] === "1"
            ? { json: { id: 1 } }
            : { status: 404, json: { error: "No such thing is here" } },
      }),
      finding: { location: { method: "GET", path: "/faxes/{faxId}" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "operations that succeed, refuse or respond differently",
      document,
      target: fakeApi({
        "GET /things": things,
        "GET /faxes": { status: 401, json: { error: "Unauthorized" } },
      }),
    },
    {
      name: "an empty collection that returns 404",
      document,
      target: fakeApi({
        "GET /things": things,
        "GET /faxes": { status: 404, json: { faxes: [], total: 0 } },
      }),
    },
  ],
  inconclusive: [
    { name: "a document of another base path", document, target: fakeApi({}) },
    {
      name: "objects that are missing like paths",
      document: apiDocument({ "/faxes/{faxId}": { get: {} } }),
      target: fakeApi({}),
    },
    { name: "a target without a document", target: fakeApi({ "GET /": { json: {} } }) },
  ],
});
