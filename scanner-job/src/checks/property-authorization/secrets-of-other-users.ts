import { handsOutTokens } from "../../attacks/purpose.ts";
import {
  areOfSeveralPersons,
  NO_USER,
  readsAsUser,
  recordsOf,
  unlessAnonymous,
} from "../../attacks/records-of-user.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import type { OperationFacts } from "../../inventory/operation.ts";
import { secretsIn } from "../../signatures/secrets.ts";
import { sensitiveFields } from "../../signatures/sensitive-fields.ts";

export default defineCheck({
  id: "property-authorization/secrets-of-other-users",
  kind: "differential",
  category: "propertyAuthorization",
  title: "Excessive data exposure: password hashes and tokens of other users",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The response to a regular user contains password hashes, tokens or keys of several users. Anyone who may sign in can crack the hashes offline, or take over the accounts of others.",
  rule: "Two records that a user gets hold different secrets of the same field, and they are password hashes, or the records name different accounts.",
  control:
    "The same request without credentials does not return them, and a single record may be the user's own.",
  remediation:
    "Select response fields from an allowlist for each role instead of returning the stored object, and keep hashes and keys out of objects that are serialized.",
  references: {
    cwe: 213,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: readsAsUser,
  notApplicable: NO_USER,

  async examine(subject, probe) {
    const { got, verdict } = await recordsOf(subject, probe);
    if (verdict) return verdict;
    const { facts } = subject.operation;
    const { shared, single } = secretsAmong(got.records, facts);
    if (shared.length === 0)
      return single ? inconclusive("A single record holds a secret, which may be the user's own.") : pass();
    const isIn = ({ body }: { readonly body: string }) =>
      shared.some(({ values }) => values.some((value) => body.includes(value)));
    const open = await unlessAnonymous(probe, got.responses[0].request, isIn);
    if (open) return open;
    const seen = shared.map(({ path, values }) => `${path} (${values.length} different values)`);
    return fail(
      `${subject.user} gets ${seen.slice(0, 4).join(", ")}.`,
      shared.some(({ isPassword }) => isPassword) ? { severity: "critical" } : {},
    );
  },
});

/** A field whose secrets are of several users. */
interface SharedSecret {
  readonly path: string;
  readonly values: readonly string[];
  readonly isPassword: boolean;
}

/**
 * The fields that hold different secrets in several records. An account has one password, so that several hashes are of several
 * accounts; a user may have many tokens, so that records with tokens must name different accounts. Pure. @internal
 */
export function secretsAmong(
  records: readonly unknown[],
  facts: Pick<OperationFacts, "path">,
): { readonly shared: readonly SharedSecret[]; readonly single: boolean } {
  const found = records.flatMap((record) =>
    secretsOfRecord(record, facts).map((secret) => ({ ...secret, record })),
  );
  const fields = [...Map.groupBy(found, ({ path }) => path)].map(([path, each]) => ({
    path,
    values: [...new Set(each.map(({ value }) => value))],
    isPassword: each.every(({ isPassword }) => isPassword),
    areOthers: areOfSeveralPersons(each.map(({ record }) => record)),
  }));
  const shared = fields.filter(
    ({ values, isPassword, areOthers }) => values.length > 1 && (isPassword || areOthers),
  );
  return { shared, single: fields.length > 0 };
}

function secretsOfRecord(record: unknown, facts: Pick<OperationFacts, "path">) {
  const named = sensitiveFields(record)
    .filter(({ kind }) => NOT_PERSONAL.has(kind) && !(kind === "token" && handsOutTokens(facts)))
    .map(({ path, kind, value }) => ({ path, value, isPassword: kind === "password" }));
  const hashes = secretsIn(JSON.stringify(record) ?? "")
    .filter(({ kind, value }) => kind === "password hash" && !named.some((each) => each.value === value))
    .map(({ kind, value }) => ({ path: kind, value, isPassword: true }));
  return [...named, ...hashes];
}

const NOT_PERSONAL: ReadonlySet<string> = new Set(["password", "token", "secret"]);
