import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import predictableIds from "./predictable-ids.ts";

const paths = (name: string) => apiDocument({ [`/${name}`]: { get: {} }, [`/${name}/{thing}`]: { get: {} } });
const target = (name: string, ids: readonly unknown[], object: object = {}) =>
  fakeApi({
    [`GET /${name}`]: { json: ids.map((id) => ({ id })) },
    [`GET /${name}/{thing}`]: { json: object },
  });

const NAMES = ["Ada", "Grace", "Edsger"];

/** Lists one user, and returns those that there are. */
const only = (listed: number, users: readonly number[]) =>
  fakeApi({
    "GET /users": { json: [{ id: listed }] },
    "GET /users/{thing}": ({ params }) =>
      users.includes(Number(params["thing"]))
        ? { json: { id: Number(params["thing"]), nickname: NAMES[Number(params["thing"]) % 3] } }
        : { status: 404, json: { error: "Not found" } },
  });

testCheck(predictableIds, {
  positive: [
    {
      name: "users who are numbered",
      document: paths("users"),
      target: target("users", [1001, 1002, 1004]),
      finding: { severity: "low", location: { method: "GET", path: "/users/{thing}" } },
      count: 1,
    },
    {
      name: "numbered objects that name their owner",
      document: paths("files"),
      target: target("files", ["7", "8", "9"], { id: 7, ownerId: "u1" }),
    },
    {
      name: "users beside the only one that a list shows",
      document: paths("users"),
      target: only(7, [6, 7, 8]),
    },
  ],
  negative: [
    {
      name: "numbered products",
      document: paths("products"),
      target: target("products", [1, 2, 3], { price: 9 }),
    },
    {
      name: "users with random ids",
      document: paths("users"),
      target: target("users", [
        "0b0f7f4e-8d7a-4b59-9d43-0a5a2f6f9a01",
        "5c4f7a5e-1d2b-4c3d-8e9f-aabbccddeeff",
        "9f1c2f52-6f2e-4c55-9d0c-3a4b5c6d7e8f",
      ]),
    },
    {
      name: "a single random id",
      document: paths("users"),
      target: target("users", ["0b0f7f4e-8d7a-4b59-9d43-0a5a2f6f9a01"]),
    },
    { name: "a number beside which there is no user", document: paths("users"), target: only(7, [7]) },
    {
      name: "users with random numbers",
      document: paths("users"),
      target: target("users", [83121, 2210, 599213]),
    },
  ],
  inconclusive: [
    {
      name: "the only id of a user who is not shown",
      document: paths("users"),
      target: fakeApi({ "GET /users": { json: [{ id: 7 }] }, "GET /users/{thing}": { status: 401 } }),
    },
    { name: "too few ids", document: paths("users"), target: target("users", [1, 2]) },
    {
      name: "a list that is not shown",
      document: paths("users"),
      target: fakeApi({ "GET /users": { status: 401 } }),
    },
  ],
});
