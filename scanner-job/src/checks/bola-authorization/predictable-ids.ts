import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { responseToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { idIn, othersBeside } from "../../attacks/other-objects.ts";
import type { Probe } from "../../engine/probe.ts";
import { holdsData } from "../../oracles/records.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";
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
    "Objects that belong to users have sequential IDs. An attacker who knows one ID can derive the others and the number of objects, and any gap in access control exposes all of them.",
  rule: "At least three IDs, from lists or found next to a known one, are close integers of objects that look personal.",
  control: "None: the IDs themselves are the proof.",
  remediation: "Use random IDs (UUIDv4) in the API. This does not replace object level authorization.",
  references: { cwe: 340, owasp: "API1:2023" },

  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an ID in its path.",

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
    return ids.length < ENOUGH ? pass() : fail(`Known IDs are ${ids.slice(0, 5).join(", ")}.`);
  },
});

const TOO_FEW = "Too few IDs of existing objects were found.";

/** The known ids and those beside them that return other objects; undefined where no object is shown to compare with. */
async function withThoseBeside(
  known: readonly string[],
  { object, operation, probe }: { object: ProbeResponse; operation: Operation; probe: Probe },
): Promise<readonly string[] | undefined> {
  const none = await responseToNoObject(operation, probe);
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
