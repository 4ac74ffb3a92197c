import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";

const PATH = "/.well-known/openid-configuration";

type Metadata = Readonly<Record<string, unknown>>;

export default defineCheck({
  id: "authentication/oidc-metadata",
  kind: "passive",
  category: "authentication",
  title: "Insecure OAuth 2.0 or OpenID Connect configuration",
  severity: "medium",
  confidence: "firm",
  description:
    "The OpenID Connect metadata offers options that current security practice (RFC 9700) rules out. An attacker may be able to forge or intercept tokens.",
  rule: "The metadata lists `none` as a signing algorithm of ID tokens, a flow that returns access tokens in the URL, or an endpoint without TLS, or lacks PKCE with `S256`.",
  control: "None: the metadata itself is the proof.",
  remediation:
    "Allow only the authorization code flow with PKCE (`S256`), sign ID tokens with RS256 or ES256, and serve every endpoint over HTTPS.",
  references: {
    cwe: 757,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:P/PR:N/UI:A/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    const response = await probe.baseline(readOf(probe.profile.target.origin + PATH));
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(response) || !isMetadata(response.json))
      return notApplicable("The host does not publish OpenID Connect metadata.");

    const problems = WEAKNESSES.filter(({ seen }) => seen(response.json as Metadata));
    if (problems.length === 0) return pass();
    const severity = problems.some((each) => each.severity === "medium") ? "medium" : "low";
    return fail(problems.map(({ message }) => message).join(" "), {
      severity,
      location: { method: "GET", path: PATH },
    });
  },
});

const isMetadata = (json: unknown): json is Metadata =>
  typeof json === "object" &&
  json !== null &&
  "issuer" in json &&
  ("authorization_endpoint" in json || "jwks_uri" in json);

const WEAKNESSES: readonly {
  severity: "medium" | "low";
  message: string;
  seen: (metadata: Metadata) => boolean;
}[] = [
  {
    severity: "medium",
    message: "ID tokens may be unsigned (`none`).",
    seen: (metadata) => texts(metadata["id_token_signing_alg_values_supported"]).includes("none"),
  },
  {
    severity: "medium",
    message: "An endpoint has a URL without TLS.",
    seen: (metadata) =>
      Object.values(metadata).some((value) => typeof value === "string" && isPlainAddress(value)),
  },
  {
    severity: "low",
    message: "The implicit flow, which returns access tokens in the URL, is enabled.",
    seen: (metadata) =>
      texts(metadata["response_types_supported"]).some((type) => type.split(" ").includes("token")),
  },
  {
    severity: "low",
    message: "PKCE (`code_challenge_methods_supported`) is missing or limited to `plain`.",
    seen: (metadata) => !texts(metadata["code_challenge_methods_supported"]).includes("S256"),
  },
];

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, 50).filter((item) => typeof item === "string") : [];

/** Loopback addresses never leave the machine (RFC 8252, section 8.3). */
const isPlainAddress = (text: string): boolean =>
  /^http:\/\//i.test(text) && !/^http:\/\/(localhost|127\.|\[::1\])/i.test(text);
