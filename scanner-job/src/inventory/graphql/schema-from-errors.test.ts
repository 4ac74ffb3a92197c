import { expect, it } from "vitest";
import { aResponse } from "../../testing/samples.ts";
import { graphqlOperations } from "./queries.ts";
import { schemaFromErrors } from "./schema-from-errors.ts";

/** The validation of graphql-js, for a schema with `userByName(name: String!): [User!]!` and `version: String`. */
function validate(query: string): string[] {
  const [, outer = "", inner] = /^\{(\w[^{}]*?)(?:\{([^{}]*)\})?\}$/.exec(query) ?? [];
  const names = outer.split(" ");
  const unknown = (name: string, type: string, meant = ""): string =>
    `Cannot query field "${name}" on type "${type}".${meant}`;
  const atTop = names.flatMap((name) => {
    if (name === "version") return [];
    if (name !== "userByName")
      return [unknown(name, "Query", name === "user" ? ' Did you mean "userByName" or "version"?' : "")];
    return [
      'Field "userByName" argument "name" of type "String!" is required, but it was not provided.',
      ...(inner === undefined
        ? [
            'Field "userByName" of type "[User!]!" must have a selection of subfields. Did you mean "userByName { ... }"?',
          ]
        : []),
    ];
  });
  const below = (inner ?? "").split(" ").filter((name) => name && !["id", "email"].includes(name));
  return [...atTop, ...below.map((name) => unknown(name, "User"))];
}

const asking = (errors: (query: string) => string[]) => (query: string) =>
  Promise.resolve(
    aResponse({ body: JSON.stringify({ errors: errors(query).map((message) => ({ message })) }) }),
  );

it("suggestions name the queries, their arguments and the fields of their objects", async () => {
  const schema = await schemaFromErrors(asking(validate));
  expect(graphqlOperations(schema, "/graphql").map(({ body }) => body?.sample)).toMatchObject([
    { query: "query($name:String!){userByName(name:$name){id email}}" },
    { query: "query{version}" },
  ]);
});

it.each<[string, (query: string) => string[]]>([
  ["a response without errors", () => []],
  ["errors without suggestions", () => ["GraphQL validation failed"]],
  ["errors of something else", () => ['Did you mean "users"?']],
])("nothing is known from %s", async (_, errors) => {
  expect(await schemaFromErrors(asking(errors))).toBeUndefined();
});

it("nothing is known where nothing responds", async () => {
  expect(await schemaFromErrors(() => Promise.resolve(undefined))).toBeUndefined();
});
