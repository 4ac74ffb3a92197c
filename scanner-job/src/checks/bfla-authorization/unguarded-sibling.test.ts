import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import unguardedSibling from "./unguarded-sibling.ts";

const refused = { status: 401, json: { error: "Unauthorized" } };
const person = { id: 7, email: "ada@larkfield.test", phone: "+44 20 7946 0018", birthDate: "1990-02-03" };
const reads = apiDocument({ "/patients": { get: {} }, "/patients/{id}": { get: {} } });
const writes = apiDocument({ "/notes/{id}": { patch: {}, delete: {} } });

testCheck(unguardedSibling, {
  positive: [
    {
      name: "a list of persons beside single ones that are refused",
      document: reads,
      target: fakeApi({ "GET /patients": { json: [person] }, "GET /patients/{id}": refused }),
      finding: { severity: "high", location: { method: "GET", path: "/patients" } },
      count: 1,
    },
    {
      name: "a list of how to reach people, which may be meant, as a medium",
      document: reads,
      target: fakeApi({
        "GET /patients": {
          json: ["ada", "grace", "mary"].map((name, id) => ({
            id,
            name: `${name} king`,
            email: `${name}@larkfield.test`,
            phone: `+44 20 7946 001${id}`,
          })),
        },
        "GET /patients/{id}": refused,
      }),
      finding: { severity: "medium", location: { method: "GET", path: "/patients" } },
      count: 1,
    },
    {
      name: "a deletion that loads its object where a change is refused",
      document: writes,
      target: fakeApi({
        "PATCH /notes/{id}": refused,
        "DELETE /notes/{id}": { status: 404, json: { error: "No such note" } },
      }),
      finding: {
        severity: "medium",
        confidence: "tentative",
        location: { method: "DELETE", path: "/notes/{id}" },
      },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a catalogue whose single entries are guarded",
      document: apiDocument({ "/films": { get: {} }, "/films/{id}": { get: {} } }),
      target: fakeApi({ "GET /films": { json: [{ id: 1, title: "M" }] }, "GET /films/{id}": refused }),
    },
    {
      name: "a resource that is refused throughout",
      document: reads,
      target: fakeApi({ "GET /patients": refused, "GET /patients/{id}": refused }),
    },
  ],
  inconclusive: [
    {
      name: "a resource that is open throughout",
      document: reads,
      target: fakeApi({ "GET /patients": { json: [person] }, "GET /patients/{id}": { json: person } }),
    },
    {
      name: "a write that returns 400 before authentication",
      document: writes,
      target: fakeApi({
        "PATCH /notes/{id}": { status: 400, json: { error: "Bad body" } },
        "DELETE /notes/{id}": { status: 400, json: { error: "Bad request" } },
      }),
    },
  ],
});
