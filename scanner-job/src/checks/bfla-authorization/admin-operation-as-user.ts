import { sentAnonymously, sentAs, readRefusedTo, rolesOf, type Roles } from "../../attacks/roles.ts";
import { looksPublic, namesPublished, tellsVersionOnly } from "../../attacks/published.ts";
import { isAdministrative } from "../../attacks/purpose.ts";
import { guardedReadsByPrivilege } from "../../attacks/subjects.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type Overrides,
  type Subject,
  type Verdict,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation, OperationFacts } from "../../inventory/operation.ts";
import { wordsOf } from "../../names.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { holdsData } from "../../oracles/records.ts";
import { holdSameData } from "../../oracles/same-data.ts";
import { holdsPrivileges, isOperational } from "../../signatures/operational-data.ts";
import { sensitiveFields } from "../../signatures/sensitive-fields.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

interface PrivilegedRead extends Subject {
  readonly operation: Operation;
  readonly roles: Roles;
}

export default defineCheck({
  id: "bfla-authorization/admin-operation-as-user",
  kind: "differential",
  category: "bflaAuthorization",
  title: "Vertical privilege escalation: admin operation accessible to regular users",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "An administrative operation refuses unauthenticated callers, but returns to a regular user the same data as to an administrator. Any user of the API can read administrative data, and the missing role check often affects administrative functions as well.",
  rule: "An operation that is administrative by its path, tags, name or summary, or that returns the configuration or state of the server, returns the same data to a user as to an administrator. The confidence is lower where no other operation refuses the user.",
  control:
    "The same request without credentials is refused, a nonexistent path gets a different response as the user, and another operation refuses the user and not the administrator.",
  remediation:
    "Deny access by default, and require the administrator role for all administrative operations in one central component.",
  references: {
    cwe: 285,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 5,

  subjects(profile): PrivilegedRead[] {
    const roles = rolesOf(profile);
    if (!roles) return [];
    return guardedReadsByPrivilege(profile).map((operation) => ({
      operation,
      location: operation.location,
      roles,
    }));
  },
  prior: ({ operation }) => (isAdministrative(operation.facts) ? 4 : 1),
  notApplicable:
    "The scan has no identities of an administrator and of a user, or every read is open to anonymous callers.",

  async examine({ operation, roles }, probe) {
    const request = await probe.withRealIds(operation);
    const admin = await probe.control(sentAs(request, roles.admin));
    const unclear = withoutMeaning(admin);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(admin) || !holdsContent(admin))
      return inconclusive("The administrator gets no data from the operation.");
    if (kindOf(operation.facts, admin.json) === undefined)
      return notApplicable("Nothing shows that the operation is administrative.");
    return (await unlessGranted(probe, admin, roles)) ?? verdictOn(probe, operation, { admin, roles });
  },
});

const holdsContent = ({ json, body, mediaType }: ProbeResponse): boolean =>
  json === undefined ? body !== "" && mediaType !== "text/html" : holdsData(json) && !tellsVersionOnly(json);

/** The verdict where the user did not get what the administrator got, or where everybody does. */
async function unlessGranted(probe: Probe, admin: ProbeResponse, roles: Roles): Promise<Verdict | undefined> {
  const { request } = admin;
  const user = await probe.attack(sentAs(request, roles.user));
  const unclear = withoutMeaning(user);
  if (unclear) return inconclusive(unclear);
  if (!isSuccess(user)) return pass();
  if (isSuccess(await probe.control(sentAnonymously(request))))
    return notApplicable("Callers without credentials are not refused either.");
  // A dashboard or a profile returns to each caller its own data.
  if (!holdSameData(user, admin, await probe.again(sentAs(request, roles.admin)))) return pass();
  return isNoBetterThan(await probe.missing(sentAs(request, roles.user)), user)
    ? inconclusive("Nonexistent paths get the same response.")
    : undefined;
}

async function verdictOn(
  probe: Probe,
  operation: Operation,
  { admin, roles }: { admin: ProbeResponse; roles: Roles },
): Promise<Verdict> {
  const refused = await readRefusedTo(probe, roles, operation);
  const kind = kindOf(operation.facts, admin.json)!;
  const instead = gravityOf(kind, { enforcesRoles: refused !== undefined });
  if (!instead) return pass();
  const contrast = refused
    ? `, while ${refused.location.method} ${refused.location.path} refuses the user`
    : "";
  return fail(
    `Status ${admin.status} returned the same ${admin.body.length} characters to ${roles.user} as to ${roles.admin}${contrast}.`,
    instead,
  );
}

/** What shows that an operation is for administrators, the strongest first. */
export type Privileged = "accounts" | "configuration" | "restricted" | "named" | "published" | "operational";

/** Undefined for an operation that nothing shows to be for administrators. Pure. @internal */
export function kindOf(facts: OperationFacts, json: unknown): Privileged | undefined {
  if (!isAdministrative(facts))
    return isOperational(json) && !holdsOwnSettings(facts) ? "operational" : undefined;
  if (holdsPrivileges(json) || sensitiveFields(json).length > 0) return "accounts";
  if (isOperational(json)) return "configuration";
  if (!looksPublic(json)) return "restricted";
  return namesPublished(facts) ? "published" : "named";
}

/**
 * The weight of what a user may read. Data that could be public proves nothing by itself: an administration may show to everybody
 * what is in its catalogue. Undefined where it is probably meant for users. Pure. @internal
 */
export function gravityOf(
  kind: Privileged,
  { enforcesRoles }: { enforcesRoles: boolean },
): Overrides | undefined {
  switch (kind) {
    case "accounts":
      return enforcesRoles ? { severity: "critical" } : { confidence: "firm" };
    case "configuration":
    case "restricted":
      return enforcesRoles ? {} : { confidence: "firm" };
    case "named":
      return enforcesRoles ? { severity: "medium", confidence: "firm" } : undefined;
    case "operational":
      return enforcesRoles ? { severity: "medium", confidence: "tentative" } : undefined;
    case "published":
      return undefined;
  }
}

/** What users set for themselves looks like the configuration of a program. */
const holdsOwnSettings = ({ path }: OperationFacts): boolean =>
  path
    .split("/")
    .flatMap(wordsOf)
    .some((word) => OWN.has(word));
const OWN = new Set(
  "me my self own profile preferences settings notifications notification account".split(" "),
);
