import { holderIn } from "../../active/accounts.ts";
import { createObject, markedBody, readAt } from "../../active/objects.ts";
import { sentBy } from "../../active/other-user.ts";
import { elevated, isPrivileged } from "../../attacks/privileged-members.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type Subject,
  type TargetProfile,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { shapeOf } from "../../inventory/discovery/path-template.ts";
import type { Operation } from "../../inventory/operation.ts";
import { isUserName, namesPassword, topLevel } from "../../inventory/sign-in.ts";
import { member, objectOf } from "../../json.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { resourceWith } from "../../sequences/resources.ts";
import { OWN_OBJECT, type ProbeRequest } from "../../transport/exchange.ts";
import { OWN_ACCOUNT } from "../../writes/active-policy.ts";

interface Update extends Subject {
  readonly operation: Operation;
  /** The read of the same path. */
  readonly read: Operation;
}

/** Members that are tried at most, one at a time: a write may refuse all for one of them. */
const MAX_MEMBERS = 4;

export default defineCheck({
  id: "property-authorization/mass-assignment",
  kind: "burst",
  active: true,
  category: "propertyAuthorization",
  title: "Mass assignment",
  severity: "high",
  confidence: "confirmed",
  description:
    "A write stores members that its document does not declare, among them one that controls privileges or money. A user can so become an administrator, or raise a balance. The scan changed an account or an object that it created.",
  rule: "An undeclared member with such a name is sent with a valid update of one's own object, and a read then shows the new value.",
  control: "The same update without the member: a read shows the old value.",
  remediation:
    "Bind only the members that the operation declares, and set roles, balances and states only in operations that check the privilege to do so.",
  references: {
    cwe: 915,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 8,

  subjects: updatesIn,
  notApplicable: "No operation updates an account or an object that the scan created and can read.",

  async examine(subject, probe) {
    const path = await pathOf(subject, probe);
    if (path === undefined) return inconclusive("No object could be created and read back.");
    const { operation, read } = subject;
    const as = probe.profile.active!.owner;
    const { url } = readAt(operation, path, as);
    const view = async () => holderIn((await probe.again(readAt(read, path, as))).json);
    const unchanged = unchangedMembers(operation, await view());
    if (!unchanged) return notApplicable("The update asks for a password.");
    let body = { ...objectOf(markedBody(operation, probe.profile.active!.journal.own)), ...unchanged };
    const update = (more: object): ProbeRequest => ({
      ...operation.request({ content: { ...body, ...more }, form: OWN_OBJECT }),
      ...{ url, as },
    });
    let accepted = await probe.control(update({}));
    if (!isSuccess(accepted)) {
      body = { ...objectOf(operation.facts.body?.sample), ...unchanged };
      accepted = await probe.control(update({}));
    }
    if (!isSuccess(accepted))
      return inconclusive(`A valid update was refused with status ${accepted.status}.`);
    const before = await view();
    const members = membersOf(operation, before);
    if (members.length === 0)
      return notApplicable("A read shows no member that controls privileges or money.");
    for (const [name, value] of members) {
      const { status } = await probe.attack(update({ [name]: value }));
      const isStored = JSON.stringify(member(await view(), name)) === JSON.stringify(value);
      if (!isStored) continue;
      await probe.control(update({ [name]: member(before, name) }));
      return fail(
        `${name} was changed from ${JSON.stringify(member(before, name))} to ${JSON.stringify(value)} (status ${status}).`,
      );
    }
    return pass();
  },
});

function updatesIn({ active, operations }: TargetProfile): Update[] {
  if (!active) return [];
  const isAccount = active.journal.accounts.some(({ name }) => name === active.owner);
  return operations
    .filter(({ facts }) => facts.method === "PATCH" || facts.method === "PUT")
    .filter((operation) =>
      OWN_ACCOUNT.test(operation.location.path)
        ? isAccount && !operation.location.path.includes("{")
        : resourceWith(active.resources, operation)?.create !== undefined,
    )
    .flatMap((operation) => {
      const read = operations.find(
        ({ facts, location }) =>
          facts.method === "GET" && shapeOf(location.path) === shapeOf(operation.location.path),
      );
      return read ? [{ operation, read, location: operation.location }] : [];
    });
}

/** The path of the own account, or of a new object. */
async function pathOf({ operation }: Update, probe: Probe): Promise<string | undefined> {
  const { owner, resources, journal } = probe.profile.active!;
  if (OWN_ACCOUNT.test(operation.location.path)) return operation.location.path;
  const resource = resourceWith(resources, operation)!;
  const { object } = await createObject(resource, { owner }, { journal, ...sentBy(probe) });
  return object?.path;
}

/**
 * Who somebody is stays as it is, or the scan could not sign in any more: the members of an account with a name or an address, and no
 * password. Undefined where a password is required.
 */
function unchangedMembers(
  { facts: { body }, location }: Operation,
  view: unknown,
): Readonly<Record<string, unknown>> | undefined {
  const fields = OWN_ACCOUNT.test(location.path) ? topLevel(body?.fields ?? []) : [];
  if (fields.some(({ name, required }) => required && namesPassword(name))) return undefined;
  return Object.fromEntries(
    fields
      .filter(({ name }) => isUserName(name) || namesPassword(name))
      // What is undefined is not sent.
      .map(({ name }) => [name, namesPassword(name) ? undefined : member(view, name)]),
  );
}

/** What the view has, the update does not declare, and would grant more with another value. */
function membersOf({ facts: { body } }: Operation, view: unknown): [string, unknown][] {
  const declared = new Set(body?.fields.filter(({ readOnly }) => !readOnly).map(({ name }) => name));
  return Object.entries(objectOf(view))
    .filter(([name]) => isPrivileged(name) && !declared.has(name))
    .map(([name, value]): [string, unknown] => [name, elevated(name, value)])
    .filter(([, value]) => value !== undefined)
    .slice(0, MAX_MEMBERS);
}
