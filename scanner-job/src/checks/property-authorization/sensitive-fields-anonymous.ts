import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, pass, type Overrides } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { sensitiveFields, type SensitiveField } from "../../signatures/sensitive-fields.ts";
import { handsOutTokens } from "../../attacks/purpose.ts";
import { whereHandled } from "../../attacks/refusals.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "property-authorization/sensitive-fields-anonymous",
  kind: "passive",
  category: "propertyAuthorization",
  caller: ANONYMOUS,
  title: "Excessive data exposure: secrets to anonymous users",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "firm",
  description:
    "The response to an unauthenticated request contains secret fields: password hashes, tokens, keys, or identity or card numbers. An attacker can use them to take over accounts or to impersonate people.",
  rule: "A field's name indicates a secret, and its value has the form of one and is not masked.",
  control: "None: the response itself is the proof.",
  remediation:
    "Select response fields from an allowlist instead of returning the stored object, and keep hashes and keys out of objects that are serialized.",
  references: {
    cwe: 213,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(reads(profile)),
  notApplicable: "No read operation was found.",

  /** What is read is examined; here are the responses to everything else, such as a search that is sent with POST. */
  observe(response, { operation, isBaseline }) {
    if (!isBaseline || operation?.facts.method === "GET" || !isSuccess(response) || describesApi(response))
      return undefined;
    const fields = sensitiveFields(response.json).filter(
      (field) => operation === undefined || !isHandedOut(operation, field),
    );
    if (fields.length === 0) return undefined;
    return { ...seenIn(fields), values: fields.map(({ value }) => value) };
  },

  examine: (operation, probe) =>
    whereHandled(probe, operation, (response) => {
      const fields = sensitiveFields(response.json).filter((field) => !isHandedOut(operation, field));
      if (fields.length === 0) return pass();
      const { observed, ...instead } = seenIn(fields);
      return fail(observed, instead);
    }),
});

function seenIn(fields: readonly SensitiveField[]): { observed: string } & Overrides {
  const seen = fields.slice(0, 5).map(({ path, kind, masked }) => `${path} (${kind}, ${masked})`);
  // Hashes can be guessed offline, and most people use a password in several places.
  const isPassword = fields.some(({ kind }) => kind === "password");
  return { observed: `Seen here: ${seen.join("; ")}.`, ...(isPassword && { severity: "critical" }) };
}

const isHandedOut = ({ facts }: Operation, { kind }: SensitiveField): boolean =>
  kind === "token" && handsOutTokens(facts);
