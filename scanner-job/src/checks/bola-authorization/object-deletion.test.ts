import { anybody, notesApi, type NotesRules } from "../../testing/notes-api.ts";
import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import objectDeletion from "./object-deletion.ts";

const notes = (name: string, rules: NotesRules): CheckCase => ({ name, mode: "active", ...notesApi(rules) });

testCheck(objectDeletion, {
  positive: [
    {
      ...notes("a deletion by anybody who is signed in", { remove: anybody }),
      count: 1,
      finding: { location: { method: "DELETE", path: "/notes/{id}" }, severity: "high" },
    },
  ],
  negative: [
    notes("a deletion by the owner alone", {}),
    notes("notes that everybody reads", { read: anybody }),
  ],
  inconclusive: [
    notes("notes that everybody lists and deletes", { read: anybody, list: anybody, remove: anybody }),
    notes("deletions that nobody may do", { remove: () => false }),
    notes("an API without deletions", { withoutDeletion: true }),
    notes("an API without registration", { remove: anybody, withoutRegistration: true }),
  ],
});
