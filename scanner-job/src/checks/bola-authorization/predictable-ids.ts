import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import { kindOfId } from "../../inventory/id-kinds.ts";
import type { Operation } from "../../inventory/operation.ts";

/** Ids from which counting is concluded, at least. */
const ENOUGH = 3;

export default defineCheck({
  id: "bola-authorization/predictable-ids",
  category: "bolaAuthorization",
  title: "Predictable object identifiers",
  severity: "low",
  confidence: "firm",
  description:
    "Objects that belong to people have sequential ids. Anyone who knows one id knows the others, and how many there are; any gap in the access control then exposes all of them.",
  rule: "At least three known ids are whole numbers, close together, of objects that look personal.",
  control: "None: the ids themselves are the proof.",
  remediation:
    "Give objects random ids (UUID version 4) on the outside. This does not replace the check of who may see them.",
  references: { cwe: 340, owasp: "API1:2023" },
  passive: true,

  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an id in its path.",

  async examine(operation, probe) {
    const ids = await probe.idsFor(operation);
    if (ids.length < ENOUGH) return inconclusive("Too few ids of existing objects were found.");
    if (!areCounted(ids)) return pass();

    const { json } = await probe.baseline(await probe.withId(operation, ids[0]!));
    const { intimate, owned } = personalFields(json);
    return intimate.length + owned.length > 0 || isPersonalByName(operation)
      ? fail(`Known ids are ${ids.slice(0, 5).join(", ")}.`)
      : pass();
  },
});

/** Whole numbers, on average less than ten apart. */
function areCounted(ids: readonly string[]): boolean {
  if (!ids.every((id) => kindOfId(id) === "integer" && id.length < 16)) return false;
  const numbers = ids.map(Number);
  return (Math.max(...numbers) - Math.min(...numbers)) / (ids.length - 1) < 10;
}

const isPersonalByName = ({ location }: Operation): boolean =>
  /\/(users?|accounts?|customers?|clients?|patients?|members?|employees?|invoices?|payments?|orders?|appointments?|prescriptions?|medical-records?|messages?)\/\{[^/]*$/i.test(
    location.path,
  );
