import { changeOf, newTrial, objectWrites } from "../../active/other-user.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";

export default defineCheck({
  id: "bola-authorization/object-change",
  kind: "burst",
  active: true,
  category: "bolaAuthorization",
  title: "Broken object level authorization: change of another user's object (BOLA/IDOR)",
  severity: "high",
  confidence: "confirmed",
  description:
    "A user can change an object of another user by its id, because the operation does not check whose it is. The scan created the object as one user and changed it as another.",
  rule: "A user changes an object that another user created, and the owner then reads the new text in it.",
  control:
    "The owner reads the object before: the text is not in it. The other user does not list it, so it is not shared.",
  remediation:
    "Load the object by its id and the caller's user together, in every operation that changes it, and respond with 404 if there is none.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 8,

  subjects: (profile) => objectWrites(profile, ({ update }) => update),
  notApplicable: "No operation changes objects that the scan could create as one user and read back.",

  async examine(subject, probe) {
    const { operation } = subject;
    const trial = await newTrial(subject, probe);
    if (!trial) return inconclusive("No object could be created and read back.");
    const { owner, stranger, view } = trial;
    const isShared = await trial.isListed();
    const nonce = probe.nonce();
    const change = changeOf(operation, trial, { as: stranger, nonce });
    if (!change) return inconclusive("The operation takes no text by which a change could be recognised.");
    const { status } = await probe.attack(change);
    const after = await view();
    if (after.body.includes(nonce))
      return isShared
        ? inconclusive("The other user lists the object: it may be shared.")
        : fail(`${stranger} changed an object of ${owner} (status ${status}), as a read by ${owner} shows.`);
    const own = probe.nonce();
    await probe.control(changeOf(operation, trial, { as: owner, nonce: own })!);
    return (await view()).body.includes(own)
      ? pass()
      : inconclusive("The owner could not change the object either.");
  },
});
