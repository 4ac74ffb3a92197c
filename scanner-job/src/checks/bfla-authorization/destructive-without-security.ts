import { defineCheck, fail, pass, type Subject } from "../../engine/check.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { isDestructive } from "../../inventory/effects.ts";
import type { OperationFacts } from "../../inventory/operation.ts";
import { pointerTo } from "../../json.ts";

/** The operation itself is never called. */
export default defineCheck({
  id: "bfla-authorization/destructive-without-security",
  category: "bflaAuthorization",
  title: "Destructive operation declared without authentication",
  severity: "medium",
  confidence: "tentative",
  description:
    "By its name the operation deletes or resets data, and the document demands no credentials for it, as it does for others. Unless the server does, anyone can destroy what the API keeps.",
  rule: "The document declares no security for an operation that destroys by its method, path, operationId or summary, and declares it for others.",
  control: "None: the document itself is the proof, because the operation must not be called.",
  remediation:
    "Demand an administrator's credentials for the operation, or remove it from production; then declare it.",
  references: {
    cwe: 306,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:L/SC:N/SI:N/SA:N",
  },
  passive: true,

  subjects: ({ document }): Declared[] => {
    const operations = document?.operations ?? [];
    if (!operations.some(({ security }) => security === "required")) return [];
    return operations
      .filter((facts) => facts.method === "DELETE" || destroysData(facts))
      .map((facts) => ({ facts, location: { method: facts.method, path: facts.base + facts.path } }));
  },
  notApplicable: "The document declares no operation that destroys, or security for none.",

  async examine({ facts }) {
    if (facts.security === "required" || facts.security === "optional") return pass();
    return fail(`The document declares no security for ${facts.method} ${facts.base}${facts.path}.`, {
      pointer: pointerTo("paths", facts.path, facts.method.toLowerCase()),
    });
  },
});

interface Declared extends Subject {
  readonly facts: OperationFacts;
}

/** Signing out or cancelling one's own objects needs no privileges. */
const destroysData = (facts: OperationFacts): boolean =>
  isDestructive(facts) &&
  !isPublicByNature(facts) &&
  !/log-?(out|off)|sign-?(out|off)|unsubscribe|cancel|revoke/i.test(
    `${facts.path} ${facts.operationId ?? ""}`,
  );
