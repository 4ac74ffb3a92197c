import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sensitiveFieldsAnonymous from "./sensitive-fields-anonymous.ts";

const document = apiDocument({ "/doctors": { get: {} } });
const responding = (json: unknown, status = 200) => fakeApi({ "GET /doctors": { status, json } });

testCheck(sensitiveFieldsAnonymous, {
  positive: [
    {
      name: "a list with password hashes and social security numbers",
      document,
      target: responding({
        doctors: [
          { id: 1, passwordHash: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad", ssn: "536-90-4399" },
        ],
      }),
      finding: { severity: "critical", location: { method: "GET", path: "/doctors" } },
      count: 1,
    },
    {
      name: "a key, more severely where money is concerned",
      document,
      context: "financial",
      target: responding({ clientSecret: "Zm9vYmFyYmF6cXV4" }),
      finding: { severity: "critical" },
    },
  ],
  negative: [
    { name: "normal fields", document, target: responding([{ id: 1, name: "Ines", tokenCount: 7 }]) },
    {
      name: "masked fields",
      document,
      target: responding({ password: "********", cardNumber: "**** 1111" }),
    },
    { name: "a refusal", document, target: responding({ error: "Unauthorized" }, 401) },
    {
      name: "a session of the caller's own",
      document: apiDocument({ "/sessions/current": { get: {} } }),
      target: fakeApi({ "GET /sessions/current": { json: { accessToken: "a1b2c3d4e5f6a7b8c9d0" } } }),
    },
  ],
  inconclusive: [
    { name: "a fault", document, target: responding({ password: "hunter2!" }, 500) },
    { name: "a read of what is not there", document, target: responding({ error: "Not found" }, 404) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /doctors": { cut: true } }) },
  ],
});
