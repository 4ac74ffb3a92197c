import { readFile } from "node:fs/promises";
import { identitiesFileSchema, identitiesSchema } from "@glovebox/contract";
import { shopIdentities } from "@glovebox/demo";
import { load } from "js-yaml";
import { expect, test } from "vitest";

test("demo/identities.yaml has the users of the shop in the format of a scan", async () => {
  const file = await readFile(new URL("../../demo/identities.yaml", import.meta.url), "utf8");
  const { identities } = identitiesFileSchema.parse(load(file));
  expect(identities.map(({ name, role, tenant }) => [name, role, tenant])).toEqual([
    ["alice", "user", "harbour"],
    ["bob", "user", "harbour"],
    ["carol", "user", "castle"],
    ["admin", "admin", undefined],
  ]);
  expect(identities).toEqual(identitiesSchema.parse(shopIdentities()));
});

test("the users of the shop can also sign in at the desk, with a form", () => {
  const [alice] = identitiesSchema.parse(shopIdentities("desk"));
  expect(alice?.login).toMatchObject({
    operation: "POST /desk/sign-in",
    form: { email: "alice@harbour.test" },
  });
});
