import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import alteredIdRead from "./altered-id-read.ts";

const people = ["Ada", "Grace", "Edsger", "Barbara"].map((name, index) => ({
  id: 41 + index,
  name,
  dateOfBirth: `19${10 + index}-01-01`,
}));
const paths = { "/people": { get: {} }, "/people/{id}": { get: {} } };
const document = apiDocument(paths, BEARER);
const undeclared = apiDocument(paths);
const list: Route = { json: { people: people.slice(0, 2).map(({ id }) => ({ id })) } };
const byId =
  (rows: readonly Readonly<Record<string, unknown>>[]): Route =>
  ({ params }) => {
    const row = rows.find((each) => String(each["id"]) === params["id"]);
    return row ? { json: row } : { status: 404, json: { error: "Not found" } };
  };

testCheck(alteredIdRead, {
  positive: [
    {
      name: "people who are returned one after the other",
      document,
      target: fakeApi({ "GET /people": list, "GET /people/{id}": byId(people) }),
      finding: { severity: "high", location: { method: "GET", path: "/people/{id}" } },
      count: 1,
    },
    {
      name: "sensitive objects of a document without declared security, as critical in medicine",
      document: undeclared,
      context: "medical",
      target: fakeApi({ "GET /people": list, "GET /people/{id}": byId(people) }),
      finding: { severity: "critical" },
    },
  ],
  negative: [
    {
      name: "a public catalogue",
      document: undeclared,
      target: fakeApi({
        "GET /people": list,
        "GET /people/{id}": byId(people.map(({ id, name }) => ({ id, title: name, price: id }))),
      }),
    },
    {
      name: "ids that require credentials",
      document,
      target: fakeApi({ "GET /people": list, "GET /people/{id}": { status: 401, json: {} } }),
    },
    {
      name: "random ids",
      document: apiDocument({ "/people": { get: {} }, "/people/{person}": { get: {} } }, BEARER),
      target: fakeApi({
        "GET /people": { json: [{ id: "9f1c2f52-6f2e-4c55-9d0c-3a4b5c6d7e8f" }] },
        "GET /people/{id}": byId([{ id: "9f1c2f52-6f2e-4c55-9d0c-3a4b5c6d7e8f", ssn: "536-90-4399" }]),
      }),
    },
    {
      name: "one object that is returned for every small id",
      document,
      target: fakeApi({
        "GET /people": list,
        "GET /people/{id}": ({ params }) =>
          Number(params["id"]) < 1_000_000 ? { json: { id: params["id"], name: "Anyone" } } : { status: 404 },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a host that returns objects for ids that cannot exist",
      document,
      target: fakeApi({ "GET /people": list, "GET /people/{id}": { json: people[0] } }),
    },
    {
      name: "ids that no response contains",
      document,
      target: fakeApi({ "GET /people/{id}": byId(people) }),
    },
    {
      name: "a connection that is cut",
      document,
      target: fakeApi({ "GET /people": list, "GET /people/{id}": { cut: true } }),
    },
  ],
});
