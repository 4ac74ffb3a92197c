import { accountOf, elevatedMembers, tenantMember } from "../../active/accounts.ts";
import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { topLevel } from "../../inventory/sign-in.ts";
import { isObject, type JsonObject } from "../../json.ts";
import type { FurtherUsers } from "../../writes/active-target.ts";

/** Members that are tried together. */
const MAX_MEMBERS = 6;

export default defineCheck({
  id: "property-authorization/mass-assignment-at-registration",
  kind: "burst",
  active: true,
  category: "propertyAuthorization",
  title: "Mass assignment at registration",
  severity: "high",
  confidence: "confirmed",
  description:
    "The registration stores members that control privileges, money or the tenant. Anybody can so register as an administrator, with a balance, or in the tenant of others. The scan registered a user in this way.",
  rule: "A user registers with such a member, and what this user then reads about itself has the submitted value.",
  control: "A user who registers without the member reads another value.",
  remediation:
    "Bind only name, address and password at registration, and set roles, balances and tenants on the server.",
  references: {
    cwe: 915,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 6,

  subjects: ({ active }) =>
    active?.furtherUsers
      ? [{ operation: active.furtherUsers.operation, location: active.furtherUsers.operation.location }]
      : [],
  notApplicable: "The scan could not register users.",

  async examine(_, probe) {
    const { owner, journal, furtherUsers } = probe.profile.active!;
    const control = await accountOf(owner, probe);
    if (!control) return inconclusive("No operation shows users their own account.");
    const members = elevatedMembers(control.account, MAX_MEMBERS);
    const tenant = undeclaredTenant(control.account, furtherUsers!);
    const ofTenant = tenant === undefined ? {} : { [tenant]: `${journal.marker}-tenant` };
    if (Object.keys({ ...members, ...ofTenant }).length === 0)
      return notApplicable("No account shows a member that controls privileges, money or the tenant.");
    for (const tried of [{ ...members, ...ofTenant }, members].filter(isNotEmpty)) {
      const asked = await furtherUsers!.register(probe.attack, tried);
      if (!asked) return inconclusive("No further user is registered.");
      if (asked.user) return compared(asked.user.caller, { tried, control: control.account, probe });
    }
    return pass();
  },
});

const isNotEmpty = (members: object, index: number, all: readonly object[]): boolean =>
  Object.keys(members).length > 0 &&
  (index === 0 || Object.keys(members).length < Object.keys(all[0]!).length);

/** Not where users say at registration which company they found. */
function undeclaredTenant(account: JsonObject, { operation }: FurtherUsers): string | undefined {
  const name = tenantMember(account);
  const declared = topLevel(operation.facts.body?.fields ?? []).map((field) => field.name);
  return name !== undefined && !declared.includes(name) ? name : undefined;
}

async function compared(
  caller: string,
  { tried, control, probe }: { tried: JsonObject; control: JsonObject; probe: Probe },
) {
  const registered = await accountOf(caller, probe);
  if (!registered) return inconclusive("The user that was registered cannot read its account.");
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const stored = Object.entries(tried).filter(
    ([name, value]) => isSame(registered.account[name], value) && !isSame(control[name], value),
  );
  if (stored.length === 0) return pass();
  const shown = stored.map(([name, value]) =>
    `${name} ${isObject(value) ? "" : JSON.stringify(value)}`.trim(),
  );
  return fail(`A user who registered with it has ${shown.join(", ")}.`);
}
