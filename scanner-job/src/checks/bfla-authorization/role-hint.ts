import { defineBypass } from "../../attacks/bypass.ts";
import { withHeader, withQuery } from "../../attacks/credentials.ts";
import { isDenied } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { guardedReadsByPrivilege } from "../../attacks/subjects.ts";
import type { ProbeRequest } from "../../transport/exchange.ts";

const ROLE_HEADERS = ["x-role", "x-user-role", "x-roles", "x-user-type"];

/** Locations where a client could claim a role; each is tried with a high role and, as control, with none. */
const HINTS: readonly {
  readonly label: string;
  readonly claim: (request: ProbeRequest, high: boolean) => ProbeRequest;
}[] = [
  {
    label: "`X-Role: admin` or a similar header or cookie",
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
    "The server trusts a role in a client-supplied header, query parameter or cookie. An attacker can escalate privileges to administrator by adding it.",
  rule: "A refused operation returns data once the request claims an administrator role.",
  control: "The same claim with an unprivileged role is refused, and so is the request without a claim.",
  remediation:
    "Take roles only from the verified session or token. If a gateway passes roles in headers, strip these headers from client requests.",
  references: {
    cwe: 807,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: guardedReadsByPrivilege,
  notApplicable: "No read operation requires credentials.",

  variants: (_, { request }, probe) =>
    HINTS.map(({ label, claim }) => ({
      label,
      request: claim(request, true),
      async isProven(response) {
        const humble = await probe.control(claim(request, false));
        return isDenied(humble) && !isNoBetterThan(await probe.missing(claim(request, true)), response);
      },
    })),
});
