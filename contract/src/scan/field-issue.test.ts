import { expect, test } from "vitest";
import { fieldName, firstIssue } from "./field-issue.ts";
import { identitiesFileSchema } from "./identities.ts";

const TOKEN = "s3cret-0f-Alice";
const alice = (fields: object) => ({ identities: [{ name: "alice", ...fields }] });

test.each<[string, unknown, string]>([
  ["no identities", { identity: [] }, "identities: must be a list"],
  ["a misspelt field", alice({ header: {} }), "identities.0: has unknown fields: header"],
  ["a secret as the name of a field", alice({ [TOKEN]: "" }), "identities.0: has an unknown field"],
  [
    "a secret as the name of a header",
    alice({ headers: { [`Bearer ${TOKEN}`]: "x" } }),
    "identities.0.headers.…: must be the name of a header",
  ],
  [
    "a header of the connection",
    alice({ headers: { Host: "a.example" } }),
    "identities.0.headers.Host: is set by the scanner itself",
  ],
  [
    "a number as a secret",
    alice({ headers: { Authorization: 1234567 } }),
    "identities.0.headers.Authorization: must be given as text; YAML needs quotes around a number",
  ],
  [
    "a line break in a secret",
    alice({ headers: { Authorization: `${TOKEN}\n` } }),
    "identities.0.headers.Authorization: must not contain control characters",
  ],
  ["a role that does not exist", alice({ role: TOKEN }), "identities.0.role: must be one of user, admin"],
  ["nothing to sign in with", alice({}), "identities.0: needs `headers`, `cookies`, `query` or `login`"],
])("of %s, field and reason are named, and no value", (_, data, expected) => {
  const { path, reason } = firstIssue(identitiesFileSchema.safeParse(data).error!);
  expect(`${fieldName(path)}: ${reason}`).toBe(expected);
});
