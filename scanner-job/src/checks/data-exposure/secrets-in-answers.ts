import { defineObservation, type Overrides } from "../../engine/check.ts";
import { handsOutTokens } from "../../attacks/purpose.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { secretsIn } from "../../signatures/secrets.ts";

export default defineObservation({
  id: "data-exposure/secrets-in-answers",
  category: "dataExposure",
  title: "Credentials leaked in a response",
  severity: "high",
  confidence: "confirmed",
  description:
    "A response contains an API key, token or connection string. An attacker can use it to access the service that it belongs to.",
  rule: "A baseline response, or an error, contains a value with the prefix, length and randomness of a credential that was not in the request; tokens must decode, and do not count on a login.",
  remediation:
    "Revoke the credential now, remove it from the response, and select response fields from an allowlist instead of returning stored data.",
  references: {
    cwe: 200,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  observe(response, { operation, isBaseline }) {
    if (!isBaseline || describesApi(response)) return undefined;
    const isHandedOut = handsOutTokens({
      path: operation?.facts.path ?? new URL(response.request.url).pathname,
    });
    const secrets = secretsIn(response.body).filter(
      ({ kind }) => !(isHandedOut && kind === "JSON Web Token"),
    );
    if (secrets.length === 0) return undefined;
    const seen = secrets.slice(0, 4).map(({ kind, masked }) => `${kind} ${masked}`);
    return {
      observed: `Seen: ${seen.join(", ")}.`,
      values: secrets.map(({ value }) => value),
      ...gravityOf(secrets.map(({ kind }) => kind)),
    };
  },
});

/** The other kinds have the severity of the check. */
function gravityOf(kinds: readonly string[]): Overrides {
  const hashes = kinds.filter((kind) => kind === "password hash").length;
  // A list of accounts: hashes can be guessed offline, and most people use a password in several places.
  if (hashes > 1) return { severity: "critical" };
  // A token may be meant for any caller.
  if (kinds.every((kind) => kind === "JSON Web Token"))
    return { severity: "medium", confidence: "tentative" };
  // Keys of Google are often limited to one site.
  if (kinds.every((kind) => kind === "Google API key")) return { severity: "low", confidence: "tentative" };
  return {};
}
