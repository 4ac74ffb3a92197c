import { rolesOf, sentAs, type Roles } from "../../attacks/roles.ts";
import { objectReads, reads, spread } from "../../attacks/subjects.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type Subject,
  type TargetProfile,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { isObject, objectOf, type JsonObject } from "../../json.ts";
import { lettersOf } from "../../names.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { identityOf, rowsOf } from "../../oracles/records.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

interface SharedRead extends Subject {
  readonly operation: Operation;
  readonly roles: Roles;
  /** Another read of the same objects: the list of an object, or one object of a list. */
  readonly counterpart: Operation | undefined;
}

export default defineCheck({
  id: "property-authorization/fields-beyond-role",
  kind: "differential",
  category: "propertyAuthorization",
  title: "Excessive data exposure: internal fields returned to regular users",
  severity: "medium",
  confidence: "firm",
  description:
    "The response to a regular user contains fields that are meant for administrators, such as internal notes, cost prices or risk scores. An attacker who may sign in learns what the API's clients do not show.",
  rule: "A user gets the same value of a field as the administrator, and the field is internal by its name, or several objects show it and another read of them omits it for the user and not for the administrator.",
  control: "The administrator's response to the same request, and another read of the same object as both.",
  remediation:
    "Select response fields from an allowlist for each role, in one serializer that all operations on the object share.",
  references: {
    cwe: 213,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 4,

  subjects(profile): SharedRead[] {
    const roles = rolesOf(profile);
    if (!roles) return [];
    return spread(reads(profile)).map((operation) => ({
      operation,
      location: operation.location,
      roles,
      counterpart: counterpartOf(operation, profile),
    }));
  },
  notApplicable:
    "The scan has no identities of an administrator and of a user, or no read operation was found.",

  async examine({ operation, roles, counterpart }, probe) {
    const views = await viewsOf(operation, roles, { probe, sendAsUser: probe.attack });
    const unclear = withoutMeaning(views[0].user) ?? withoutMeaning(views[0].admin);
    if (unclear) return inconclusive(unclear);
    const shown = shownIn(views);
    const internal = [...shown.keys()].filter((name) => INTERNAL.test(lettersOf(name)));
    const hidden = counterpart
      ? hiddenIn(await viewsOf(counterpart, roles, { probe, sendAsUser: probe.control }))
      : new Set<string>();
    // One object may be the user's own.
    const inconsistent = [...hidden].filter((name) => (shown.get(name) ?? 0) > 1);
    const beyond = [...new Set([...inconsistent, ...internal])];
    if (beyond.length === 0) return pass();
    const { method, path } = (counterpart ?? operation).location;
    const contrast = inconsistent.length > 0 ? `, which ${method} ${path} shows to ${roles.admin} only` : "";
    return fail(`${roles.user} gets ${listOf(beyond)}, the same as ${roles.admin}${contrast}.`);
  },
});

/** The responses of both to one request. */
interface Views {
  readonly user: ProbeResponse;
  readonly admin: ProbeResponse;
}

/** Objects that are read by their ids. */
const MAX_OBJECTS = 3;

/** `sendAsUser` is the role of the user's requests: the attack, or a control. */
async function viewsOf(
  operation: Operation,
  { user, admin }: Roles,
  { probe, sendAsUser }: { readonly probe: Probe; readonly sendAsUser: Probe["attack"] },
): Promise<[Views, ...Views[]]> {
  const view = async (request: ProbeRequest): Promise<Views> => ({
    admin: await probe.control(sentAs(request, admin)),
    user: await sendAsUser(sentAs(request, user)),
  });
  const first = await view(await probe.withRealIds(operation));
  if (!operation.idParameter || !isSuccess(first.admin)) return [first];
  const others: Views[] = [];
  for (const id of (await probe.idsFor(operation)).slice(0, MAX_OBJECTS)) {
    const request = await probe.withId(operation, id);
    if (request.url !== first.admin.request.url) others.push(await view(request));
  }
  return [first, ...others];
}

type Seen = readonly { readonly [Who in keyof Views]: Pick<ProbeResponse, "json"> }[];

/** The members that both see with the same value, and in how many objects. Pure. @internal */
export function shownIn(views: Seen): ReadonlyMap<string, number> {
  const names = pairsIn(views).flatMap(({ user, admin }) =>
    Object.keys(user).filter((name) => isTelling(user[name]) && isEqual(user[name], admin[name])),
  );
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]));
}

/** The members that the administrator sees in an object, and the user in none. Pure. @internal */
export function hiddenIn(views: Seen): ReadonlySet<string> {
  const pairs = pairsIn(views);
  const shown = new Set(pairs.flatMap(({ user }) => Object.keys(user)));
  const members = pairs.flatMap(({ admin }) => Object.keys(admin).filter((name) => isTelling(admin[name])));
  return new Set(members.filter((name) => !shown.has(name)));
}

/** The objects that both see, each once. */
function pairsIn(views: Seen): { user: JsonObject; admin: JsonObject }[] {
  const seen = (who: keyof Views) => new Map(views.flatMap((view) => objectsIn(view[who].json)));
  const [byUser, byAdmin] = [seen("user"), seen("admin")];
  return [...byUser].flatMap(([id, user]) => {
    const admin = byAdmin.get(id);
    return admin ? [{ user, admin }] : [];
  });
}

/** The object itself, one in an envelope, and the rows of a list, by what identifies them. */
const objectsIn = (json: unknown): [string, JsonObject][] =>
  [json, ...Object.values(objectOf(json)), ...(rowsOf(json) ?? [])]
    .filter(isObject)
    .map((object) => [identityOf(object), object]);

const isTelling = (value: unknown): boolean => value !== null && value !== undefined && value !== "";
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const listOf = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => `\`${name}\``)
    .join(", ");

const INTERNAL =
  /^((internal|admin|staff|moderator|moderation|backoffice|support)(notes?|comments?|remarks?|only|rating|score|status|flags?|memo)|(unit|product|internal)?cost(price)?$|(purchase|wholesale|supplier|buying)(price|cost)|(gross|net|profit)?margin(percent|pct|rate)?$|markup(percent|pct)?$|(fraud|risk|credit|churn|abuse|spam)(score|rating|level|flags?)|is(blacklisted|shadowbanned|watchlisted)|ban(reason|note)|(flag|fraud)(ged)?reason)$/;

/** The list that an object is in, or one object of a list. */
function counterpartOf(operation: Operation, profile: TargetProfile): Operation | undefined {
  const { base, path } = operation.facts;
  const collection = operation.idParameter && path.replace(/\/\{[^{}]*\}\/?$/, "");
  return collection === undefined
    ? objectReads(profile).find(
        ({ facts }) => facts.base === base && facts.path.replace(/\/\{[^{}]*\}\/?$/, "") === path,
      )
    : reads(profile).find(({ facts }) => facts.base === base && facts.path === collection);
}
