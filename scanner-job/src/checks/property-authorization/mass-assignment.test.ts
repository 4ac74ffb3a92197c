import { notesApi, type NotesRules } from "../../testing/notes-api.ts";
import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import massAssignment from "./mass-assignment.ts";

const notes = (name: string, rules: NotesRules): CheckCase => ({ name, mode: "active", ...notesApi(rules) });

testCheck(massAssignment, {
  positive: [
    {
      ...notes("an account that stores a role", { binds: ["role"] }),
      count: 1,
      finding: { location: { method: "PATCH", path: "/me" }, severity: "high" },
    },
    { ...notes("an account that stores a balance", { binds: ["credit"] }), count: 1 },
    {
      ...notes("an object that stores its approval", { binds: ["isApproved"] }),
      count: 1,
      finding: { location: { method: "PATCH", path: "/notes/{id}" } },
    },
  ],
  negative: [notes("an account that repeats a role and does not store it", {})],
  inconclusive: [
    notes("an API without registration", { binds: ["role"], withoutRegistration: true }),
    notes("a registration that is refused", { binds: ["role"], refuses: () => ({ status: 403 }) }),
  ],
});
