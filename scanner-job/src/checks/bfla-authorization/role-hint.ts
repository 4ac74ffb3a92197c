import { defineBypass } from "../../attacks/bypass.ts";
import { withHeader, withQuery } from "../../attacks/credentials.ts";
import { isDenied } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { guardedReadsByPrivilege } from "../../attacks/subjects.ts";
import type { ProbeRequest } from "../../transport/exchange.ts";

const ROLE_HEADERS = ["x-role", "x-user-role", "x-roles", "x-user-type"];

/** Places where a client could claim a role; each is tried with a high role and, as control, with none. */
const HINTS: readonly {
  readonly label: string;
  readonly claim: (request: ProbeRequest, high: boolean) => ProbeRequest;
}[] = [
  {
    label: "`X-Role: admin` or its like, or a cookie that names the role,",
    claim: (request, high) =>
      ROLE_HEADERS.reduce(
        (claimed, name) => withHeader(claimed, name, high ? "admin" : "nobody"),
        withHeader(request, "cookie", high ? "role=admin; admin=true" : "role=nobody; admin=false"),
      ),
  },
  {
    label: "`admin=true` in the query",
    claim: (request, high) => withQuery(request, { admin: String(high), role: high ? "admin" : "nobody" }),
  },
];

export default defineBypass({
  id: "bfla-authorization/role-hint",
  category: "bflaAuthorization",
  title: "Privilege escalation by a client-supplied role",
  severity: "critical",
  confidence: "confirmed",
  description:
    "A refused operation is carried out when the request says in a header, the query or a cookie that the caller is an administrator. Any caller can claim this.",
  rule: "A refused operation answers with data once the request claims the role of an administrator.",
  control: "The same claim of no role is refused, and so is the operation without a claim.",
  remediation:
    "Take roles only from the verified session or token. Where a gateway passes them on in headers, drop those that come from clients.",
  references: {
    cwe: 807,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: guardedReadsByPrivilege,
  notApplicable: "No read requires credentials.",

  variants: (_, { request }, probe) =>
    HINTS.map(({ label, claim }) => ({
      label,
      request: claim(request, true),
      async isProven(reply) {
        const humble = await probe.control(claim(request, false));
        return isDenied(humble) && !isNoBetterThan(await probe.missing(claim(request, true)), reply);
      },
    })),
});
