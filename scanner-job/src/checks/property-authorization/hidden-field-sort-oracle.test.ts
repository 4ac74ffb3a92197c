import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import hiddenFieldSortOracle from "./hidden-field-sort-oracle.ts";

const document = apiDocument({
  "/branches": { get: { parameters: [{ name: "sort", in: "query", schema: { type: "string" } }] } },
});
const rows = [
  { id: 1, name: "A", password: "c" },
  { id: 2, name: "B", password: "a" },
  { id: 3, name: "C", password: "b" },
];
const shown = (list: typeof rows) => ({ json: { branches: list.map(({ id, name }) => ({ id, name })) } });
const byPassword = rows.toSorted((a, b) => a.password.localeCompare(b.password));
const responding = (sorted: (field: string | null) => FakeResponse) =>
  fakeApi({ "GET /branches": ({ query }) => sorted(query.get("sort")) });

testCheck(hiddenFieldSortOracle, {
  positive: [
    {
      name: "an order by password",
      document,
      target: responding((field) => shown(field === "password" ? byPassword : rows)),
      finding: { severity: "medium", location: { method: "GET", path: "/branches", parameter: "sort" } },
      count: 1,
    },
    {
      name: "an order by password where random names are refused",
      document,
      target: responding((field) => {
        if (field === "password") return shown(byPassword);
        return field === null ? shown(rows) : { status: 400, json: { error: "No such field" } };
      }),
    },
  ],
  negative: [
    { name: "a list that ignores the field", document, target: responding(() => shown(rows)) },
    {
      name: "a list that any unknown field reorders in the same way",
      document,
      target: responding((field) => shown(field === null ? rows : byPassword)),
    },
    {
      name: "a list that refuses the field",
      document,
      target: responding((field) => (field === null ? shown(rows) : { status: 400, json: { error: "No" } })),
    },
    {
      name: "a list that shows the field, which is another weakness",
      document,
      target: responding((field) => ({ json: field === "password" ? byPassword : rows })),
    },
  ],
  inconclusive: [
    {
      name: "an order that varies by itself",
      document,
      target: (() => {
        let count = 0;
        return responding(() => shown(count++ % 2 === 0 ? rows : byPassword));
      })(),
    },
    { name: "too few rows", document, target: responding(() => shown(rows.slice(0, 2))) },
    { name: "a list behind credentials", document, target: responding(() => ({ status: 401, json: {} })) },
    { name: "a fault", document, target: responding(() => ({ status: 500, json: {} })) },
  ],
});
