import { changesOf, newUse, singleUses, type SingleUse } from "../../active/single-use.ts";
import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { isSuccess } from "../../oracles/classify.ts";

/** Uses at the same time. */
const AT_ONCE = 4;
/** Objects that are used so: a race is not won every time. */
const ROUNDS = 3;

export default defineCheck({
  id: "rate-limiting/single-use-race",
  kind: "burst",
  active: true,
  category: "rateLimiting",
  title: "Race condition in single-use operation",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The operation checks that an object was not used before, and marks it as used later. Requests that arrive in between are all accepted, and an attacker who sends them at the same time has the benefit several times. The scan used objects that it created.",
  rule: `${AT_ONCE} uses of one object at the same time change a number of the account by a multiple of what one use does.`,
  control: "Of another object, the second use after the first is refused.",
  remediation:
    "Check and mark in one statement or transaction with a lock: `UPDATE … SET used_at = now() WHERE id = ? AND used_at IS NULL`, and grant the benefit only if it changed a row.",
  references: {
    cwe: 362,
    owasp: "API6:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 30,

  subjects: singleUses,
  notApplicable: "No operation uses up an object that the scan can create and read.",

  async examine(subject, probe) {
    const benefit = await benefitOf(subject, probe);
    if (typeof benefit === "string") return inconclusive(benefit);
    if (benefit === undefined) return notApplicable("The second use is not refused.");
    for (let round = 0; round < ROUNDS; round++) {
      const use = await newUse(subject, probe);
      if (!use) return inconclusive("No object could be created and read back.");
      const before = await use.count();
      // Not from the cache, as each is a separate request.
      const [first, ...others] = Array.from({ length: AT_ONCE }, () => use.parallel);
      const accepted = await Promise.all([
        probe.attack(first!),
        ...others.map((request) => probe.again(request)),
      ]);
      const changed = changesOf(before, await use.count());
      const times = [...benefit].map(([name, by]) => (changed.get(name) ?? 0) / by);
      const most = Math.max(...times);
      if (most >= 2)
        return fail(
          `${accepted.filter(isSuccess).length} of ${AT_ONCE} uses at the same time were accepted, and had the effect of ${most}.`,
        );
    }
    return pass();
  },
});

/** What one use changes; undefined where the second is not refused; the reason where that cannot be told. */
async function benefitOf(
  subject: SingleUse,
  probe: Probe,
): Promise<ReadonlyMap<string, number> | string | undefined> {
  const use = await newUse(subject, probe);
  if (!use) return "No object could be created and read back.";
  const before = await use.count();
  if (!isSuccess(await probe.again(use.request))) return "The first use was refused.";
  const between = await use.count();
  const benefit = changesOf(before, between);
  if (benefit.size === 0) return "Nothing shows what the use is for.";
  await probe.again(use.request);
  return changesOf(between, await use.count()).size === 0 ? benefit : undefined;
}
