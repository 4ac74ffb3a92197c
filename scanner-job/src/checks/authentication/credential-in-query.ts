import { defineCheck, fail, pass, type Subject, type TargetProfile } from "../../engine/check.ts";
import type { Operation } from "../../inventory/operation.ts";

interface Declaration extends Subject {
  /** Names of query parameters that are credentials. */
  readonly credentials: readonly string[];
  /** JSON pointer to where the document declares them. */
  readonly pointer: string;
}

export default defineCheck({
  id: "authentication/credential-in-query",
  kind: "passive",
  category: "authentication",
  title: "Credentials in the URL query string",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API accepts a credential in the query string. URLs are recorded in server logs, browser history and `Referer` headers, where an attacker can find the credential and reuse it.",
  rule: "The OpenAPI document declares an API key in the query, or a query parameter with the name of a credential.",
  control: "None: the document itself is the proof.",
  remediation:
    "Accept credentials only in the `Authorization` header or in a cookie, and reject requests that carry one in the query string.",
  references: {
    cwe: 598,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:P/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => [...schemesOf(profile), ...profile.operations.filter(takesQuery).map(parametersOf)],
  notApplicable: "No security scheme and no query parameter is declared.",

  async examine({ credentials, location, pointer }) {
    const [parameter] = credentials;
    if (parameter === undefined) return pass();
    const names = credentials.map((name) => `"${name}"`).join(", ");
    return fail(`The document declares ${names} as query parameter.`, {
      location: { ...location, parameter },
      pointer,
    });
  },
});

const schemesOf = ({ document, host }: TargetProfile): Declaration[] =>
  document === undefined || document.securitySchemes.length === 0
    ? []
    : [
        {
          location: host.location,
          pointer: document.version === "2.0" ? "/securityDefinitions" : "/components/securitySchemes",
          credentials: document.securitySchemes
            .filter((scheme) => scheme.type === "apiKey" && scheme.in === "query")
            .map(({ name, parameterName = name }) => parameterName),
        },
      ];

const takesQuery = ({ facts }: Operation): boolean =>
  facts.parameters.some((parameter) => parameter.in === "query");

const parametersOf = (operation: Operation): Declaration => ({
  operation,
  location: operation.location,
  pointer: `${operation.pointer}/parameters`,
  credentials: ONE_TIME_LINK.test(operation.facts.path)
    ? []
    : operation.facts.parameters
        .filter((parameter) => parameter.in === "query" && CREDENTIAL.test(parameter.name))
        .map(({ name }) => name),
});

/** Whole names: a page token or a token to search for is not a credential. */
const CREDENTIAL =
  /^(x-)?(api[-_]?key|access[-_]?token|auth[-_]?token|token|jwt|password|passwd|session[-_]?(id|token)|client[-_]?secret)$/i;
/** Links in mails carry a token that is good for one use. */
const ONE_TIME_LINK = /verif|confirm|reset|invit|unsubscribe|activat|callback|magic|redeem|share/i;
