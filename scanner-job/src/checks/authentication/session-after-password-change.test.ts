import { notesApi, type NotesRules } from "../../testing/notes-api.ts";
import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import sessionAfterPasswordChange from "./session-after-password-change.ts";

const notes = (name: string, rules: NotesRules): CheckCase => ({ name, mode: "active", ...notesApi(rules) });

testCheck(sessionAfterPasswordChange, {
  positive: [
    {
      ...notes("a token that is valid after the password was changed", { passwordChange: "keeps sessions" }),
      count: 1,
      finding: { location: { method: "PUT", path: "/me/password" }, severity: "medium" },
    },
  ],
  negative: [
    notes("an API that ends the sessions of a user with the password", { passwordChange: "ends sessions" }),
  ],
  inconclusive: [
    notes("an API without an operation that changes a password", {}),
    notes("an API without registration", { passwordChange: "keeps sessions", withoutRegistration: true }),
  ],
});
