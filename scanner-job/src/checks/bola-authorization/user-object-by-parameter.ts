import { defineCheck, type Verdict } from "../../engine/check.ts";
import {
  hasCallerPairs,
  NO_CALLER_PAIRS,
  nothingOwned,
  overCallerPairs,
} from "../../attacks/caller-pairs.ts";
import { judgeForeign } from "../../attacks/foreign-data.ts";
import { idsSeen, namesObject } from "../../attacks/foreign-ids.ts";
import { inserting, insertionPoints } from "../../attacks/insertion-points.ts";
import { impossibleIdLike } from "../../inventory/id-kinds.ts";
import { namesUser, TENANT } from "../../identities/markers.ts";
import { lettersOf } from "../../names.ts";

/** Objects of one owner that are asked for. */
const MAX_OBJECTS = 2;

export default defineCheck({
  id: "bola-authorization/user-object-by-parameter",
  kind: "comparison",
  category: "bolaAuthorization",
  title:
    "Broken object level authorization: object of another user readable by an ID in query, body or header",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A user gets the object of another user by an ID in the query, the body or a header. Guards that look at the path alone miss such IDs.",
  rule: "A user gets the object that its owner sees, and the object names its owner or contains personal or secret data. Objects that name the other user, or that are in the other user's own lists, are shared.",
  control: "The other user gets no object for a nonexistent ID, and anonymous callers do not get the object.",
  remediation:
    "Check in the handler that the object belongs to the caller, wherever its ID comes from, and return 404 otherwise.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 6,
  subjects: (profile) =>
    hasCallerPairs(profile)
      ? insertionPoints(
          profile,
          ({ name, in: location }, { isRead }) =>
            isRead &&
            location !== "path" &&
            namesObject(name) &&
            !namesUser(name) &&
            !TENANT.test(lettersOf(name)),
        )
      : [],
  notApplicable: `${NO_CALLER_PAIRS} Or no operation reads an object by an ID in the query, the body or a header.`,

  examine: (point, probe) =>
    overCallerPairs(probe, async (callers) => {
      const { ofOwner, ofAttacker } = callers;
      const { parameter, operation } = point;
      const seenIn = async (view: typeof ofOwner) =>
        idsSeen(parameter, operation.facts.path, await view.ownReads());
      const known = new Set((await seenIn(ofAttacker)).map(({ id }) => id));
      const objects = (await seenIn(ofOwner)).filter(({ id }) => !known.has(id));
      const ask = (id: string) => inserting({ ...ofOwner, profile: probe.profile }, point, id);
      let verdict: Verdict = nothingOwned(callers);
      for (const object of objects.slice(0, MAX_OBJECTS)) {
        const none = await ask(impossibleIdLike(object.id, parameter));
        const request = { own: await ask(object.id), none, objects: [object] };
        verdict = await judgeForeign(request, { callers, probe, kind: "json" });
        if (verdict.outcome !== "inconclusive") break;
      }
      return verdict;
    }),
});
