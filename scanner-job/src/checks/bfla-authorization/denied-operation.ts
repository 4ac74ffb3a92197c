import { ANONYMOUS, type Caller } from "@glovebox/contract";
import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type TargetProfile,
  type Verdict,
} from "../../engine/check.ts";
import { expectedOf } from "../../engine/expectations.ts";
import { spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";

export default defineCheck({
  id: "bfla-authorization/denied-operation",
  kind: "comparison",
  category: "bflaAuthorization",
  title: "Broken function level authorization: operation reachable by a role that must not reach it",
  severity: "high",
  confidence: "confirmed",
  description:
    "A caller reaches an operation that the expectations of the scan deny to its role. It can read, and perhaps do, what is meant for others.",
  rule: "An operation that the expectations deny to the caller responds to it with a success.",
  control: "The same request as this caller to a path that does not exist gets another response.",
  remediation:
    "Check the role of the caller in the operation, or correct the expectations if the role may reach it.",
  references: {
    cwe: 285,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 2,
  subjects: (profile) =>
    spread(
      profile.operations.filter(
        (operation) => operation.facts.method === "GET" && deniedCallers(operation, profile).length > 0,
      ),
    ),
  notApplicable: "No expectations deny an operation to a caller of the scan.",

  async examine(operation, probe) {
    const reached: string[] = [];
    let verdict: Verdict = pass();
    for (const { name } of deniedCallers(operation, probe.profile)) {
      const request = { ...(await probe.withRealIds(operation)), as: name };
      const response = await probe.attack(request);
      const unclear = withoutMeaning(response);
      if (unclear) verdict = inconclusive(unclear);
      if (isDenied(response) || !isSuccess(response)) continue;
      if (!isNoBetterThan(await probe.missing(request), response)) reached.push(name);
    }
    return reached.length === 0
      ? verdict
      : fail(`${reached.join(" and ")} reached the operation, which the expectations deny.`);
  },
});

const deniedCallers = (
  operation: Operation,
  { callers, expectations }: TargetProfile,
): (Pick<Caller, "name"> & Partial<Caller>)[] =>
  [...callers, { name: ANONYMOUS }].filter(
    (caller) => expectedOf(caller, operation, expectations) === "deny",
  );
