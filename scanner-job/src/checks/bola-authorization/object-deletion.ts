import { newTrial, objectWrites } from "../../active/other-user.ts";
import { readAt } from "../../active/objects.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { OWN_OBJECT, type ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "bola-authorization/object-deletion",
  kind: "burst",
  active: true,
  category: "bolaAuthorization",
  title: "Broken object level authorization: deletion of another user's object (BOLA/IDOR)",
  severity: "high",
  confidence: "confirmed",
  description:
    "A user can delete an object of another user by its id, because the operation does not check whose it is. The scan created the object as one user and deleted it as another.",
  rule: "A user deletes an object that another user created, and the owner then gets 404 or 410 for it.",
  control:
    "The owner reads the object before, with success. The other user does not list it, so it is not shared.",
  remediation:
    "Delete an object by its id and the caller's user together, and respond with 404 if there is none.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 7,

  subjects: (profile) => objectWrites(profile, ({ remove }) => [remove]),
  notApplicable: "No operation deletes objects that the scan could create as one user and read back.",

  async examine(subject, probe) {
    const trial = await newTrial(subject, probe);
    if (!trial) return inconclusive("No object could be created and read back.");
    const { object, owner, stranger, view } = trial;
    if (!isSuccess(await view())) return inconclusive("The owner cannot read the object.");
    const isShared = await trial.isListed();
    const deletion = (as: string) => ({ ...readAt(subject.operation, object.path, as), form: OWN_OBJECT });
    const { status } = await probe.attack(deletion(stranger));
    if (isGone(await view()))
      return isShared
        ? inconclusive("The other user lists the object: it may be shared.")
        : fail(
            `${stranger} deleted an object of ${owner} (status ${status}), which ${owner} cannot read any more.`,
          );
    await probe.control(deletion(owner));
    return isGone(await view()) ? pass() : inconclusive("The owner could not delete the object either.");
  },
});

const isGone = ({ status }: ProbeResponse): boolean => status === 404 || status === 410;
