import { NO_USER, readsAsUser, recordsOf, unlessAnonymous } from "../../attacks/records-of-user.ts";
import { sentAs, usersOf } from "../../attacks/roles.ts";
import { defineCheck, fail, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { secretsIn } from "../../signatures/secrets.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** Secrets of persons, which another check compares by their owners, and keys that are often limited to one site. */
const OTHER_KINDS = new Set(["password hash", "JSON Web Token", "Google API key"]);

export default defineCheck({
  id: "data-exposure/service-secrets-as-user",
  kind: "differential",
  category: "dataExposure",
  title: "Credentials of services leaked to any user",
  severity: "high",
  confidence: "firm",
  description:
    "The response to a regular user contains an API key, token or connection string of a service. Anyone who may sign in can use it to access the service that it belongs to.",
  rule: "A response to a user contains a value with the prefix, length and randomness of a service's credential, and a second user gets the same value. Tentative where the scan has no second user.",
  control:
    "The same request without credentials does not return it; what a second user does not get may be the user's own.",
  remediation:
    "Revoke the credential now, remove it from the response, and select response fields from an allowlist instead of returning stored data.",
  references: {
    cwe: 200,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: readsAsUser,
  notApplicable: NO_USER,

  async examine(subject, probe) {
    const { got, verdict } = await recordsOf(subject, probe);
    if (verdict) return verdict;
    const response = got.responses.find((each) => serviceSecretsIn(each).length > 0);
    if (!response) return pass();
    const { request } = response;
    const open = await unlessAnonymous(probe, request, (each) => serviceSecretsIn(each).length > 0);
    if (open) return open;
    const [stranger] = usersOf(probe.profile).filter((name) => name !== subject.user);
    const secrets = serviceSecretsIn(response);
    if (stranger === undefined)
      return fail(`Seen: ${listOf(secrets)}.`, { severity: "medium", confidence: "tentative" });
    const other = await probe.control(sentAs(request, stranger));
    const shared = secrets.filter(({ value }) => isSuccess(other) && other.body.includes(value));
    return shared.length > 0 ? fail(`${subject.user} and ${stranger} get ${listOf(shared)}.`) : pass();
  },
});

const serviceSecretsIn = (response: ProbeResponse) =>
  isSuccess(response) && !describesApi(response)
    ? secretsIn(response.body).filter(({ kind }) => !OTHER_KINDS.has(kind))
    : [];

const listOf = (secrets: readonly { kind: string; masked: string }[]): string =>
  secrets
    .slice(0, 4)
    .map(({ kind, masked }) => `${kind} ${masked}`)
    .join(", ");
