import { impactOfWrite } from "../../attacks/impact.ts";
import {
  isPast,
  stableReach,
  writeBelowNothing,
  writeToNothing,
  type Reach,
} from "../../attacks/impossible-write.ts";
import { isAdministrative } from "../../attacks/purpose.ts";
import { readRefusedTo, rolesOf, sentAnonymously, sentAs, type Roles } from "../../attacks/roles.ts";
import { spread } from "../../attacks/subjects.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type Overrides,
  type Subject,
  type TargetProfile,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { validationErrors } from "../../inventory/validation-errors.ts";
import { isDenied, withoutMeaning } from "../../oracles/classify.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { MALFORMED, type ProbeRequest } from "../../transport/exchange.ts";
import { carefulWrite } from "../../writes/careful-write.ts";

interface PrivilegedWrite extends Subject {
  readonly operation: Operation;
  readonly request: ProbeRequest;
  readonly roles: Roles;
  /** Other writes that may refuse the user, those of the same path first. */
  readonly siblings: readonly ProbeRequest[];
  /** It changes what another method of its path changes too. */
  readonly isTwin: boolean;
}

/** Other writes that are sent as the user. */
const MAX_SIBLINGS = 4;

export default defineCheck({
  id: "bfla-authorization/admin-write-as-user",
  kind: "differential",
  category: "bflaAuthorization",
  title: "Vertical privilege escalation: admin write accessible to regular users",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "firm",
  description:
    "A write for administrators looks up its object or validates its body for a regular user as it does for an administrator, instead of refusing the user. Any user of the API can probably change or delete what only administrators may.",
  rule: "An empty write to a nonexistent ID, or a body of the wrong type, gets the response of the handler as the user, the same as for the administrator. The write is administrative, or the other of PUT and PATCH on its path refuses the user. A 404 or 400 counts only where another operation refuses the user.",
  control:
    "The same write without credentials is refused, the same write to a nonexistent path gets a different response, and another operation refuses the user.",
  remediation:
    "Check the role before reading the body or looking up the object, for all methods of the resource and in one central component.",
  references: {
    cwe: 285,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:L/SC:N/SI:N/SA:N",
  },
  cost: 6,

  subjects(profile): PrivilegedWrite[] {
    const roles = rolesOf(profile);
    return roles ? spread(profile.operations).flatMap((write) => subjectOf(write, { profile, roles })) : [];
  },
  notApplicable:
    "The scan has no identities of an administrator and of a user, or no administrative write can be sent for nothing.",

  async examine(subject, probe) {
    const { operation, request, roles, isTwin } = subject;
    const anonymous = await probe.control(sentAnonymously(request));
    if (!isDenied(anonymous))
      return notApplicable(
        "Callers without credentials are not refused either, or before their body is read.",
      );
    const { reach, response } = await stableReach(probe, sentAs(request, roles.user));
    if (reach === "denied") return pass();
    if (!response || !isPast(reach))
      return inconclusive("The response does not show whether the write was refused.");
    const admin = await probe.control(sentAs(request, roles.admin));
    if (isDenied(admin)) return inconclusive("The administrator is refused as well.");
    if (!areSimilar(response, admin))
      return inconclusive("The user gets another response than the administrator, which may be a refusal.");
    const refused = await refusedOf(probe, { ...subject, status: response.status });
    const instead = gravityOf({
      reach,
      namesFields: validationErrors(response.json).length > 0,
      status: response.status,
      refused,
    });
    if (!instead || (isTwin && refused !== "write"))
      return inconclusive("No other operation refuses the user, so there is no refusal to compare with.");
    return fail(
      `${request.method} returned status ${response.status} to ${roles.user}, as to ${roles.admin}${CONTRAST[refused]}.`,
      { ...instead, ...graver(operation, instead) },
    );
  },
});

/** What else refuses the user. */
export type Refused = "write" | "read" | "nothing";

const CONTRAST: Readonly<Record<Refused, string>> = {
  write: ", while another write refuses the user",
  read: ", while an administrative read refuses the user",
  nothing: "",
};

/**
 * How sure it is that the write is open. A body may be parsed, and an object looked up, before the role is checked; where other
 * operations refuse the user first, this one probably would too. Undefined where it proves nothing. Pure. @internal
 */
export function gravityOf({
  reach,
  status,
  namesFields = false,
  refused,
}: {
  reach: Reach;
  status: number;
  /** It complains of a member, which only the handler's validation knows. */
  namesFields?: boolean;
  refused: Refused;
}): Overrides | undefined {
  const isStrong = reach === "handler" && (namesFields || (status !== 400 && status !== 415));
  if (isStrong) return refused === "nothing" ? { severity: "medium", confidence: "tentative" } : {};
  if (refused === "write") return {};
  return refused === "read" ? { severity: "medium", confidence: "tentative" } : undefined;
}

/** Who may change, promote or delete users owns the API. */
const graver = ({ facts }: Operation, { severity }: Overrides): Overrides =>
  severity === undefined && isOfAccounts(facts.path) && impactOfWrite(facts, [])?.severity === "critical"
    ? { severity: "critical" }
    : {};

const isOfAccounts = (path: string): boolean => /\b(users?|accounts?|roles?|permissions?)\b/i.test(path);

function subjectOf(
  operation: Operation,
  { profile, roles }: { profile: TargetProfile; roles: Roles },
): PrivilegedWrite[] {
  const request = harmlessWrite(operation);
  if (!request || ["none", "optional"].includes(operation.facts.security)) return [];
  const isNamed = isAdministrative(operation.facts);
  const twin = profile.operations.find((other) => isTwinOf(operation, other));
  if (!isNamed && !twin) return [];
  const others = isNamed
    ? profile.operations.filter((other) => other !== operation && isAdministrative(other.facts))
    : [twin!];
  const siblings = others
    .toSorted((one, other) => distance(operation, one) - distance(operation, other))
    .flatMap((other) => harmlessWrite(other) ?? [])
    .slice(0, MAX_SIBLINGS);
  return [{ operation, location: operation.location, request, roles, siblings, isTwin: !isNamed }];
}

/** A write that a careful API refuses; undefined for reads, and where there is none. */
function harmlessWrite(operation: Operation): ProbeRequest | undefined {
  const { facts, isRead } = operation;
  if (isRead) return undefined;
  const toNothing = writeToNothing(operation, facts.method) ?? writeBelowNothing(operation, facts.method);
  if (toNothing || facts.method !== "POST" || facts.body === undefined) return toNothing;
  return carefulWrite(operation.request({ form: MALFORMED }), facts);
}

/** PUT and PATCH of one path change the same object. */
const isTwinOf = ({ facts }: Operation, { facts: other }: Operation): boolean =>
  facts.base === other.base &&
  facts.path === other.path &&
  facts.method !== other.method &&
  ["PUT", "PATCH"].includes(facts.method) &&
  ["PUT", "PATCH"].includes(other.method);

const distance = ({ facts }: Operation, { facts: other }: Operation): number =>
  Number(facts.path !== other.path);

/** What refuses the user. For a response that may be about the form of the body, only writes with a body count. */
async function refusedOf(
  probe: Probe,
  { operation, roles, siblings, status }: Omit<PrivilegedWrite, "request" | "isTwin"> & { status: number },
): Promise<Refused> {
  const isAboutForm = status === 400 || status === 415;
  for (const sibling of siblings.filter(({ body }) => !isAboutForm || body !== undefined)) {
    if (!isDenied(await probe.control(sentAs(sibling, roles.user)))) continue;
    const admin = await probe.control(sentAs(sibling, roles.admin));
    if (!isDenied(admin) && !withoutMeaning(admin)) return "write";
  }
  return (await readRefusedTo(probe, roles, operation)) ? "read" : "nothing";
}
