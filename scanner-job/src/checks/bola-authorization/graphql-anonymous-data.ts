import { defineCheck, fail, inconclusive, pass, type Overrides } from "../../engine/check.ts";
import type { Operation } from "../../inventory/operation.ts";
import { graphqlData, graphqlRequest } from "../../inventory/graphql/request.ts";
import { signInFields } from "../../inventory/sign-in.ts";
import { nameOf, walk } from "../../json.ts";
import { lettersOf, wordsOf } from "../../names.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { holdsData } from "../../oracles/records.ts";

export default defineCheck({
  id: "bola-authorization/graphql-anonymous-data",
  kind: "differential",
  category: "bolaAuthorization",
  title: "GraphQL query returns internal data to anonymous users",
  severity: "medium",
  confidence: "firm",
  description:
    "A GraphQL query returns accounts or an audit log without credentials, because its resolver does not check access. An attacker learns who the administrators are and what users did.",
  rule: "A query whose name suggests accounts or an audit log returns data; for accounts, names together with roles or contact details. It is rated as an administrative operation where it reveals administrators or user activity.",
  control: "A query for a nonexistent field is rejected.",
  remediation:
    "Check access in each resolver, and return an account only to its owner and to administrators.",
  references: {
    cwe: 862,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: ({ operations }) => operations.filter((operation) => kindOf(operation) !== undefined),
  notApplicable: "No GraphQL query for accounts or an audit log is known.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const control = await probe.control(graphqlRequest(request.url, `{${probe.nonce()}}`));
    if (graphqlData(control.json).length > 0)
      return inconclusive("A nonexistent field got the response of an existing one.");
    const response = await probe.attack(request);
    if (isDenied(response)) return pass();
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    const data = graphqlData(response.json)[0]?.[operation.facts.graphqlField!];
    if (!isSuccess(response) || !holdsData(data))
      return inconclusive("The response contained no data to evaluate.");
    const names = [...new Set([...walk(data, { depth: 3, values: 500 })].filter(hasValue).map(nameOf))];
    if (kindOf(operation) === "audit")
      return fail(`The response contains the fields ${names.slice(0, 8).join(", ")}.`, { severity: "high" });
    const letters = names.map(lettersOf);
    if (!letters.some((name) => ACCOUNT.test(name))) return pass();
    return fail(
      `The response contains accounts with the fields ${names.slice(0, 8).join(", ")}.`,
      weightOf(data, letters),
    );
  },
});

/** Who administers is known to administrators alone; that an account has a name may be public. */
function weightOf(data: unknown, names: readonly string[]): Overrides {
  const isPrivileged = [...walk(data, { depth: 4, values: 500 })].some(
    (node) =>
      PRIVILEGE.test(lettersOf(nameOf(node))) && (node.value === true || PRIVILEGED.test(String(node.value))),
  );
  if (isPrivileged) return { severity: "high" };
  return names.some((name) => INTERNAL.test(name)) ? {} : { severity: "low", confidence: "tentative" };
}

const hasValue = ({ value }: { readonly value: unknown }): boolean =>
  (typeof value === "string" && value !== "") || typeof value === "boolean";

function kindOf({ facts }: Operation): "audit" | "accounts" | undefined {
  if (facts.graphqlField === undefined || signInFields(facts)) return undefined;
  const words = wordsOf(facts.graphqlField).map((word) => word.toLowerCase());
  if (words.some((word) => AUDIT.test(word))) return "audit";
  return words.some((word) => PEOPLE.test(word)) ? "accounts" : undefined;
}

const AUDIT = /^(audits?|auditlogs?|accesslogs?|activitylogs?|loginattempts?)$/;
const PEOPLE = /^(users?|accounts?|members?|customers?|employees?|admins?)$/;
const ACCOUNT = /^(user_?name|login|email(address)?|handle)$/;
const PRIVILEGE =
  /^(is)?(admin|administrator|superuser|superadmin|root)$|^(user)?(roles?|permissions|authorities)$/;
const PRIVILEGED = /^(role_?)?(super_?)?(admin(istrator)?|superuser|root|owner)$/i;
const INTERNAL =
  /^(is)?(admin|superuser|staff)$|^(roles?|permissions|email(address)?|phone(number)?|password\w*|token|apikey|lastlogin\w*|ip(addr(ess)?)?)$/;
