import { readBehindSignIn } from "../../attacks/sessions.ts";
import { sentAs } from "../../attacks/roles.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import type { Operation } from "../../inventory/operation.ts";
import { passwordChange } from "../../inventory/sign-in.ts";
import { withSample } from "../../inventory/credential-attempts.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { ofSameForm } from "../../names.ts";
import { OWN_OBJECT, type ProbeRequest } from "../../transport/exchange.ts";

export default defineCheck({
  id: "authentication/session-after-password-change",
  kind: "burst",
  active: true,
  category: "authentication",
  title: "Session remains valid after password change",
  severity: "medium",
  confidence: "confirmed",
  description:
    "Other sessions of a user are still accepted after the user has changed the password. An attacker with a stolen session keeps it, although the user has done what is advised after a theft. The scan changed the password of a user that it had registered for this.",
  rule: "A second session of a user reads what requires credentials, the user changes the password in the first, and the second then gets the same read again.",
  control:
    "The read is refused without credentials. After the change, a sign-in with the old password is refused and one with the new password is not.",
  remediation:
    "End all other sessions and refresh tokens of a user when the password is changed, or reject tokens that were issued before.",
  references: {
    cwe: 613,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 12,

  subjects: ({ active, operations }) =>
    active?.furtherUsers ? operations.filter(({ facts }) => passwordChange(facts) !== undefined) : [],
  notApplicable: "The scan could not register users, or no operation changes their password.",

  async examine(operation, probe) {
    const { furtherUsers } = probe.profile.active!;
    const asked = await furtherUsers!.register(probe.control);
    if (!asked?.user) return inconclusive("No further user could be registered.");
    const { caller, password, signInWith } = asked.user;
    const session = await probe.profile.sessions.open(caller);
    const read = session && (await readBehindSignIn(probe, session.caller));
    if (!read) return inconclusive("No read was found that requires credentials and that a session may do.");
    const next = ofSameForm(password);
    const changed = await probe.attack(sentAs(changeOf(operation, { password, next }), caller));
    if (!isSuccess(changed)) return inconclusive(`The change was refused with status ${changed.status}.`);
    const after = await probe.attack(sentAs(read.request, session.caller));
    if (await signInWith(password)) return inconclusive("The old password is still accepted.");
    if (!(await signInWith(next))) return inconclusive("The new password is not accepted.");
    const unclear = withoutMeaning(after);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(after)) return pass();
    const { method, path } = read.operation.location;
    return fail(
      `After the password had been changed (status ${changed.status}), ${method} ${path} still returned status ${after.status} to another session of the user.`,
    );
  },
});

function changeOf(
  operation: Operation,
  { password, next }: { password: string; next: string },
): ProbeRequest {
  const fields = passwordChange(operation.facts)!;
  const members = [
    ...fields.current.map(({ path }) => [path, password]),
    ...fields.next.map(({ path }) => [path, next]),
  ];
  return operation.request({ content: withSample(operation, Object.fromEntries(members)), form: OWN_OBJECT });
}
