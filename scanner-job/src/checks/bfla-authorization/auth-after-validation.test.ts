import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import authAfterValidation from "./auth-after-validation.ts";

const schema = { type: "object", required: ["at"], properties: { at: { type: "string" } } };
const body = { requestBody: { content: { "application/json": { schema } } } };
const document = apiDocument({ "/appointments/{id}": { patch: body }, "/staff": { get: {} } }, BEARER);
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const unfit = { status: 422, json: { error: "at must be a date and time" } };
const staff = { "GET /staff": unauthorized };
const onlyUnreadable: Route = ({ body }) =>
  body === "{" ? { status: 422, json: { detail: "JSON decode error" } } : unauthorized;

testCheck(authAfterValidation, {
  positive: [
    {
      name: "a form that is judged before the caller",
      document,
      target: fakeApi({ ...staff, "PATCH /appointments/{id}": unfit }),
      finding: { severity: "low", location: { method: "PATCH", path: "/appointments/{id}" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a refusal", document, target: fakeApi({ ...staff, "PATCH /appointments/{id}": unauthorized }) },
    {
      name: "a framework that reads JSON first and then requires credentials",
      document,
      target: fakeApi({ ...staff, "PATCH /appointments/{id}": onlyUnreadable }),
    },
    {
      name: "a change of an object whose read is refused, which another check reports",
      document: apiDocument({ "/appointments/{id}": { get: {}, patch: body } }, BEARER),
      target: fakeApi({ "GET /appointments/{id}": unauthorized, "PATCH /appointments/{id}": unfit }),
    },
  ],
  inconclusive: [
    {
      name: "a server that returns 422 for every PATCH",
      document,
      target: fakeApi({ ...staff, "PATCH *": unfit }),
    },
    {
      name: "an API without authentication",
      document,
      target: fakeApi({ "GET /staff": { json: [] }, "PATCH /appointments/{id}": unfit }),
    },
    {
      name: "a fault",
      document,
      target: fakeApi({ ...staff, "PATCH /appointments/{id}": { status: 500, body: "" } }),
    },
    {
      name: "a connection that is cut",
      document,
      target: fakeApi({ ...staff, "PATCH /appointments/{id}": { cut: true } }),
    },
  ],
});
