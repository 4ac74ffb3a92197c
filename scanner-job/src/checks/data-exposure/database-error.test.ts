import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import databaseError from "./database-error.ts";

const document = apiDocument({ "/rooms": { get: {} } });
const responding = (json: unknown, status = 200) =>
  fakeApi({ "GET /": { json: {} }, "GET /rooms": { status, json } });

testCheck(databaseError, {
  positive: [
    {
      name: "an error object of a driver under status 200",
      document,
      target: responding({ code: "ER_NO_SUCH_TABLE", errno: 1146, sqlMessage: "Table 'a.b' doesn't exist" }),
      finding: { severity: "low", location: { method: "GET", path: "/rooms" } },
      count: 1,
    },
    {
      name: "a message of PostgreSQL",
      document,
      target: responding({ error: 'relation "rooms" does not exist' }, 500),
      count: 1,
    },
    {
      name: "a message of a library for MongoDB",
      document,
      target: responding({ message: "Cast to ObjectId failed for value" }, 400),
      count: 1,
    },
  ],
  negative: [
    { name: "a plain error", document, target: responding({ error: "The relation does not exist" }, 404) },
    {
      name: "an article about databases",
      document,
      target: responding([{ title: "ORA-01756: what now?", text: "ER_PARSE_ERROR is a syntax error" }]),
    },
  ],
  inconclusive: [
    {
      name: "a firewall before the host",
      document,
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
