import { areDifferent, changesOf, newUse, singleUses } from "../../active/single-use.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";

export default defineCheck({
  id: "rate-limiting/single-use",
  kind: "burst",
  active: true,
  category: "rateLimiting",
  title: "Single-use object can be reused",
  severity: "high",
  confidence: "confirmed",
  description:
    "What may be used once, such as a voucher, can be used again: the operation does not check that it was. An attacker can repeat the benefit at will. The scan used an object that it created.",
  rule: "The object says after its use that it is used; a second use is accepted, and changes a number of the account by as much as the first.",
  control: "The account counts the same in two reads before the first use.",
  remediation:
    "Mark the object as used in the transaction that grants the benefit, with a condition that it was not: `UPDATE … SET used_at = now() WHERE id = ? AND used_at IS NULL`.",
  references: {
    cwe: 837,
    owasp: "API6:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 12,

  subjects: singleUses,
  notApplicable: "No operation uses up an object that the scan can create and read.",

  async examine(subject, probe) {
    const use = await newUse(subject, probe);
    if (!use) return inconclusive("No object could be created and read back.");
    const [unused, start, before] = [await use.marks(), await use.count(), await use.count()];
    if (changesOf(start, before).size > 0)
      return inconclusive("The numbers of the account change by themselves.");
    const first = await probe.again(use.request);
    if (!isSuccess(first)) return inconclusive(`The first use was refused with status ${first.status}.`);
    const [used, between] = [await use.marks(), await use.count()];
    const benefit = changesOf(before, between);
    if (!areDifferent(unused, used) || benefit.size === 0)
      return inconclusive("Nothing shows that the object was used, and what for.");
    const second = await probe.attack(use.request);
    const repeated = changesOf(between, await use.count());
    const same = [...benefit].find(([name, by]) => repeated.get(name) === by);
    if (!isSuccess(second) || !same) return pass();
    const [name, by] = same;
    return fail(`The first and the second use (status ${second.status}) each changed ${name} by ${by}.`);
  },
});
