import type { Row } from "./row.ts";

/** What the scanner does not find yet, by nuisance, check and place, with the reason. That of `none` holds for all. */
const GAPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {
    "authentication/oidc-metadata GET /.well-known/openid-configuration": "it is reported at the entry",
    "bfla-authorization/method-override GET /invoices/{invoiceId}": "one operation is examined",
    "input-validation/header-injection GET /language": "parameters of redirects are examined",
    "data-exposure/cors GET /preferences": "the entry and one guarded operation are examined",
    "unsafe-consumption/insecure-upstream-addresses GET /": "it reads the document, not this answer",
  },
  "single-page fallback": {
    "data-exposure/sensitive-answers-cacheable GET /me": "taken for an answer to everything",
    "inventory-management/deprecated-operation-alive GET /export": "taken for an answer to everything",
    "inventory-management/old-version-alive GET /v1/catalogue": "taken for an answer to everything",
  },
  "dynamic bodies": {
    "property-authorization/hidden-field-sort-oracle GET /branches": "it compares whole answers",
    "ssrf/in-band-differential GET /preview": "it compares whole answers",
  },
  "errors as 200": {
    "bola-authorization/method-differential GET /records/{recordId}":
      "a complaint about the form with 200 is no proof",
    "llm-security/anonymous-inference POST /v1/chat/completions": "a refusal with 200 is taken for an answer",
    "llm-security/prompt-injection POST /v1/chat/completions": "a refusal with 200 is taken for an answer",
    "llm-security/system-prompt-leak POST /v1/chat/completions": "a refusal with 200 is taken for an answer",
    "llm-security/unbounded-consumption POST /v1/chat/completions":
      "a refusal with 200 is taken for an answer",
    "llm-security/unsafe-output POST /v1/chat/completions": "a refusal with 200 is taken for an answer",
  },
};

/** Why a row is known to be missed behind a nuisance; undefined where it must be found. */
export function gapOf(nuisance: string, { checks, at }: Row): string | undefined {
  const name = `${checks[0]} ${at}`;
  return GAPS["none"]?.[name] ?? GAPS[nuisance]?.[name];
}
