import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import methodDifferential from "./method-differential.ts";

const schema = { type: "object", properties: { notes: { type: "string" } } };
const body = { requestBody: { content: { "application/json": { schema } } } };
const document = apiDocument({ "/records/{id}": { get: {}, put: body, patch: body, delete: {} } }, BEARER);
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const unfit = { status: 422, json: { error: "notes must be a string" } };
const read = { "GET /records/{id}": unauthorized };
const refused = { "* /records/{id}": unauthorized };

testCheck(methodDifferential, {
  positive: [
    {
      name: "a change that is judged by its form where reading is refused",
      document,
      target: fakeApi({ "PATCH /records/{id}": unfit, ...read, ...refused }),
      finding: { severity: "high", location: { method: "PATCH", path: "/records/{id}" } },
      count: 1,
    },
    {
      name: "a deletion that only does not find the object, as less certain",
      document,
      target: fakeApi({
        "DELETE /records/{id}": { status: 404, json: { message: "Record does not exist", code: "R-17" } },
        ...refused,
      }),
      finding: { severity: "medium", confidence: "tentative" },
    },
  ],
  negative: [
    { name: "a path that refuses every method", document, target: fakeApi(refused) },
    { name: "a gateway that refuses everything", document, target: fakeApi({ "* *": unauthorized }) },
    {
      name: "a public object that may be read by all",
      document,
      target: fakeApi({ "GET /records/{id}": { json: { id: 1 } }, ...refused }),
    },
    {
      name: "a framework that reads JSON before it requires credentials",
      document,
      target: fakeApi({
        "* /records/{id}": ({ body }) =>
          body === "{" ? { status: 422, json: { detail: "JSON decode error" } } : unauthorized,
      }),
    },
  ],
  inconclusive: [
    {
      name: "a router that returns 400 for every write",
      document,
      target: fakeApi({
        ...read,
        "GET *": { status: 404, json: {} },
        "* *": { status: 400, json: { error: "Bad request" } },
      }),
    },
    {
      name: "a method that is not there",
      document,
      target: fakeApi({ ...read, "* /records/{id}": { status: 405, json: { error: "Method not allowed" } } }),
    },
    {
      name: "responses that change",
      document: apiDocument({ "/records/{id}": { get: {}, patch: {} } }, BEARER),
      target: (() => {
        let count = 0;
        return fakeApi({ "PATCH /records/{id}": () => (count++ % 2 ? unauthorized : unfit), ...read });
      })(),
    },
    { name: "a connection that is cut", document, target: fakeApi({ "* /records/{id}": { cut: true } }) },
    ...[400, 415].map((status) => ({
      name: `a body that is refused with ${status} before the caller is asked who they are`,
      document,
      target: fakeApi({
        "PATCH /records/{id}": { status, json: { error: "Bad body" } },
        "PUT /records/{id}": { status, json: { error: "Bad body" } },
        ...read,
        ...refused,
      }),
    })),
  ],
});
