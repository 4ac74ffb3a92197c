import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import personalObject from "./personal-object.ts";

const idOf = (name: string) => ({
  get: { parameters: [{ name, in: "path", required: true, schema: { type: "string" } }] },
});
const document = apiDocument({ "/patrons/{username}": idOf("username") });
const unknown: FakeResponse = { status: 404, json: { error: "Unknown patron" } };
/** Knows the administrator. */
const patrons = (object: object, others: FakeResponse = unknown) =>
  fakeApi({
    "GET /patrons/{name}": ({ params }) => (params["name"] === "admin" ? { json: object } : others),
  });
const reachable = { username: "admin", email: "ada@library.test", phoneNumber: "+41 44 123 45 67" };

testCheck(personalObject, {
  positive: [
    {
      name: "a number of a card, for the common name",
      document,
      target: patrons({ username: "admin", cardNumber: "1234 5678 9012 3456" }),
      finding: { severity: "high", location: { method: "GET", path: "/patrons/{username}" } },
      count: 1,
    },
    { name: "ways to reach a person", document, target: patrons(reachable), finding: { severity: "medium" } },
    {
      name: "what an open list also shows, with a lower severity",
      document: apiDocument({ "/patrons": { get: {} }, "/patrons/{username}": idOf("username") }),
      target: fakeApi({
        "GET /patrons": { json: [reachable] },
        "GET /patrons/{name}": ({ params }) => (params["name"] === "admin" ? { json: reachable } : unknown),
      }),
      finding: { severity: "low" },
    },
  ],
  negative: [
    { name: "a name alone", document, target: patrons({ username: "admin", books: 4 }) },
    {
      name: "an object that demands credentials",
      document,
      target: fakeApi({ "GET /patrons/{name}": { status: 401, json: { error: "Sign in" } } }),
    },
  ],
  inconclusive: [
    { name: "nobody of the common name", document, target: fakeApi({ "GET /patrons/{name}": unknown }) },
    {
      name: "the same for everybody",
      document,
      target: fakeApi({ "GET /patrons/{name}": { json: reachable } }),
    },
  ],
});
