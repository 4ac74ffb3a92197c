import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import typeViolation5xx from "./type-violation-5xx.ts";

const document = apiDocument({ "/rooms/{roomId}": { get: {} } });
const preview = apiDocument({
  "/letters/preview": {
    post: {
      requestBody: {
        content: {
          "application/json": { schema: { type: "object", properties: { text: { type: "string" } } } },
        },
      },
    },
  },
});
const responding = (respond: (id: string) => FakeResponse) =>
  fakeApi({ "GET /rooms/{id}": ({ params }) => respond(params["id"] ?? "") });
const isNumber = (id: string): boolean => /^\d+$/.test(id);

testCheck(typeViolation5xx, {
  positive: [
    {
      name: "a word for a number that makes the server fail",
      document,
      target: responding((id) =>
        isNumber(id) ? { json: { id } } : { status: 500, json: { error: "Internal" } },
      ),
      finding: { severity: "low", location: { method: "GET", path: "/rooms/{roomId}" } },
      count: 1,
    },
    {
      name: "a number for a text in what is only previewed",
      document: preview,
      target: fakeApi({
        "POST /letters/preview": ({ body }) =>
          typeof (JSON.parse(body) as { text: unknown }).text === "string"
            ? { json: {} }
            : { status: 500, json: {} },
      }),
      finding: { location: { method: "POST", path: "/letters/preview" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a word that is refused",
      document,
      target: responding((id) =>
        isNumber(id) ? { json: { id } } : { status: 400, json: { error: "Not a number" } },
      ),
    },
    {
      name: "a word that is not found",
      document,
      target: responding(() => ({ status: 404, json: { error: "Not found" } })),
    },
    {
      name: "a gateway that fails",
      document,
      target: responding((id) => (isNumber(id) ? { json: { id } } : { status: 502, body: "" })),
    },
  ],
  inconclusive: [
    { name: "a server that always fails", document, target: responding(() => ({ status: 500, json: {} })) },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
    {
      name: "a write that keeps what it is given, which is left alone",
      document: apiDocument({
        "/letters": {
          post: {
            requestBody: {
              content: {
                "application/json": { schema: { type: "object", properties: { text: { type: "string" } } } },
              },
            },
          },
        },
      }),
      target: fakeApi({ "POST /letters": { status: 500, json: {} } }),
    },
  ],
});
