import { notesApi, type NotesRules } from "../../testing/notes-api.ts";
import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import massAssignmentAtRegistration from "./mass-assignment-at-registration.ts";

const notes = (name: string, rules: NotesRules): CheckCase => ({ name, mode: "active", ...notesApi(rules) });

testCheck(massAssignmentAtRegistration, {
  positive: [
    {
      ...notes("a registration that stores a role", { bindsAtRegistration: ["role"] }),
      count: 1,
      finding: { location: { method: "POST", path: "/register" }, severity: "high" },
    },
    { ...notes("a registration that stores a balance", { bindsAtRegistration: ["credit"] }), count: 1 },
    { ...notes("a registration that stores a tenant", { bindsAtRegistration: ["tenant"] }), count: 1 },
    {
      ...notes("a registration that stores a role and refuses a tenant", {
        bindsAtRegistration: ["role"],
        refuses: ({ tenant }) => (tenant === undefined ? undefined : { status: 400, json: { error: "No" } }),
      }),
      count: 1,
    },
  ],
  negative: [
    notes("a registration that ignores them", {}),
    notes("a registration that refuses them", {
      refuses: ({ role, credit, tenant }) =>
        [role, credit, tenant].every((each) => each === undefined)
          ? undefined
          : { status: 400, json: { error: "Unknown members" } },
    }),
  ],
  inconclusive: [
    notes("an API without registration", { bindsAtRegistration: ["role"], withoutRegistration: true }),
    notes("a registration that is refused", { refuses: () => ({ status: 403 }) }),
  ],
});
