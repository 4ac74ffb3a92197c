import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import personalDataLists from "./personal-data-lists.ts";

const document = apiDocument({ "/people": { get: {} } }, BEARER);
const open = apiDocument({ "/people": { get: { security: [] } } }, BEARER);
const listing = (people: object[]) => fakeApi({ "GET /": { json: {} }, "GET /people": { json: { people } } });
const staff = ["Ada King", "Grace Hopper", "Mary Ward"].map((name, id) => ({
  id,
  name,
  email: `${name.split(" ")[0]!.toLowerCase()}@acme.test`,
}));

testCheck(personalDataLists, {
  positive: [
    {
      name: "identity numbers",
      document,
      target: listing(staff.map((person) => ({ ...person, ssn: `123-45-678${person.id}` }))),
      finding: { severity: "high", location: { method: "GET", path: "/people" } },
      count: 1,
    },
    {
      name: "identity numbers of patients",
      document,
      context: "medical",
      target: listing(staff.map((person) => ({ ...person, ssn: `123-45-678${person.id}` }))),
      finding: { severity: "critical" },
    },
    {
      name: "names with addresses",
      document,
      target: listing(staff),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "the accounts of users",
      document,
      target: listing(
        ["ada", "grace", "mary"].map((username) => ({ username, email: `${username}@mail.test` })),
      ),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "where people's vehicles are",
      document,
      target: listing(
        staff.map(({ email }, index) => ({
          fullName: "A B",
          username: `u${index}`,
          email,
          lat: 51.5072 + index,
        })),
      ),
      finding: { severity: "high" },
    },
  ],
  negative: [
    {
      name: "shops with their positions",
      document,
      target: listing(
        ["Mill Lane", "High Street", "Quay"].map((name, index) => ({
          name,
          phone: `+44 20 7946 000${index}`,
          lat: 51.5072 + index,
        })),
      ),
    },
    { name: "staff that is declared public", document: open, target: listing(staff) },
    { name: "names alone", document, target: listing(staff.map(({ id, name }) => ({ id, name }))) },
    {
      name: "a list that requires credentials",
      document,
      target: fakeApi({ "GET /": { json: {} }, "GET /people": { status: 401 } }),
    },
    { name: "an empty list", document, target: listing([]) },
  ],
  inconclusive: [
    { name: "a fault", document, target: fakeApi({ "GET /people": { status: 500 } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /people": { cut: true } }) },
  ],
});
