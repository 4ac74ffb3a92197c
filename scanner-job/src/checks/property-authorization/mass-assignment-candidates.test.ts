import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import massAssignmentCandidates from "./mass-assignment-candidates.ts";

const text = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const object = (properties: object, rest: object = {}) => json({ type: "object", properties, ...rest });
const users = (body: object, shown: object = { id: text }) =>
  apiDocument({
    "/users": { post: { requestBody: body } },
    "/users/{userId}": { get: { responses: { 200: { description: "Found", ...object(shown) } } } },
  });
const target = fakeApi({});

testCheck(massAssignmentCandidates, {
  positive: [
    {
      name: "a read-only role in a body that allows more",
      document: users(object({ name: text, role: { ...text, readOnly: true } })),
      target,
      finding: { severity: "info", location: { method: "POST", path: "/users" } },
      count: 1,
    },
    {
      name: "a balance that the read of the same resource shows",
      document: users(object({ name: text }), { id: text, balance: { type: "number" } }),
      target,
      count: 1,
    },
  ],
  negative: [
    {
      name: "a body that forbids undeclared fields",
      document: users(
        object({ name: text, role: { ...text, readOnly: true } }, { additionalProperties: false }),
      ),
      target,
    },
    {
      name: "a role that the write takes openly",
      document: users(object({ role: text }), { role: text }),
      target,
    },
    {
      name: "harmless read-only fields",
      document: users(object({ name: text, createdAt: { ...text, readOnly: true } })),
      target,
    },
  ],
  inconclusive: [
    { name: "a document without writes", document: apiDocument({ "/users": { get: {} } }), target },
  ],
});
