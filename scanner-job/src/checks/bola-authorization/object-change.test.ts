import { anybody, isOwner, notesApi, type NotesRules } from "../../testing/notes-api.ts";
import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import objectChange from "./object-change.ts";

const notes = (name: string, rules: NotesRules): CheckCase => ({ name, mode: "active", ...notesApi(rules) });

testCheck(objectChange, {
  positive: [
    {
      ...notes("an update by anybody who is signed in", { change: anybody }),
      count: 1,
      finding: { location: { method: "PATCH", path: "/notes/{id}" }, severity: "high" },
    },
    { ...notes("an update of what others can read", { change: anybody, read: anybody }), count: 1 },
  ],
  negative: [
    notes("an update by the owner alone", {}),
    notes("notes that everybody reads and the owner changes", { read: anybody, list: anybody }),
  ],
  inconclusive: [
    notes("notes that everybody lists and changes", { read: anybody, list: anybody, change: anybody }),
    notes("updates that nobody may do", { change: () => false }),
    notes("notes that their owner cannot read", { read: (user, note) => !isOwner(user, note) }),
    notes("an API without registration", { change: anybody, withoutRegistration: true }),
    notes("a registration that takes a captcha", { change: anybody, asksFor: ["captchaToken"] }),
  ],
});
