import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { replyToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { idIn, othersBeside } from "../../attacks/other-objects.ts";
import type { Probe } from "../../engine/probe.ts";
import { holdsData } from "../../oracles/records.ts";
import type { Reply } from "../../transport/exchange.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import { kindOfId } from "../../inventory/id-kinds.ts";
import type { Operation } from "../../inventory/operation.ts";

/** Ids from which counting is concluded, at least. */
const ENOUGH = 3;

export default defineCheck({
  id: "bola-authorization/predictable-ids",
  kind: "passive",
  category: "bolaAuthorization",
  title: "Predictable object identifiers",
  severity: "low",
  confidence: "firm",
  description:
    "Objects that belong to people have sequential ids. Anyone who knows one id knows the others, and how many there are; any gap in the access control then exposes all of them.",
  rule: "At least three ids, known from lists or found beside a known one, are whole numbers, close together, of objects that look personal.",
  control: "None: the ids themselves are the proof.",
  remediation:
    "Give objects random ids (UUID version 4) on the outside. This does not replace the check of who may see them.",
  references: { cwe: 340, owasp: "API1:2023" },

  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an id in its path.",

  async examine(operation, probe) {
    const known = await probe.idsFor(operation);
    const [id] = known;
    if (id === undefined) return inconclusive(TOO_FEW);
    if (!areCounted(known)) return pass();

    const object = await probe.baseline(await probe.withId(operation, id));
    const { intimate, owned } = personalFields(object.json);
    if (intimate.length + owned.length === 0 && !isPersonalByName(operation)) return pass();
    const ids = known.length < ENOUGH ? await withThoseBeside(known, { object, operation, probe }) : known;
    if (ids === undefined) return inconclusive(TOO_FEW);
    return ids.length < ENOUGH ? pass() : fail(`Known ids are ${ids.slice(0, 5).join(", ")}.`);
  },
});

const TOO_FEW = "Too few ids of existing objects were found.";

/** The known ids and those beside them that return other objects; undefined where no object is shown to compare with. */
async function withThoseBeside(
  known: readonly string[],
  { object, operation, probe }: { object: Reply; operation: Operation; probe: Probe },
): Promise<readonly string[] | undefined> {
  const none = await replyToNoObject(operation, probe);
  if (!holdsData(object.json) || unlessReturned(object, none, probe)) return undefined;
  const others = await othersBeside([object, none], known, { operation, probe, enough: ENOUGH - 1 });
  return [...new Set([...known, ...others.map(idIn)])];
}

/** Whole numbers, on average less than ten apart where there are several. */
function areCounted(ids: readonly string[]): boolean {
  if (!ids.every((id) => kindOfId(id) === "integer" && id.length < 16)) return false;
  if (ids.length < ENOUGH) return true;
  const numbers = ids.map(Number);
  return (Math.max(...numbers) - Math.min(...numbers)) / (ids.length - 1) < 10;
}

const isPersonalByName = ({ location }: Operation): boolean =>
  /\/(users?|accounts?|customers?|clients?|patients?|members?|employees?|invoices?|payments?|orders?|appointments?|prescriptions?|medical-records?|messages?)\/\{[^/]*$/i.test(
    location.path,
  );
