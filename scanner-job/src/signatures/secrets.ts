import { jsonWebTokenOf } from "./json-web-token.ts";

/** A credential in a text; only `masked` is fit for a report. */
export interface Secret {
  readonly kind: string;
  readonly value: string;
  readonly masked: string;
}

/** Characters of a text that are searched. */
const SEARCHED = 256 * 1024;

/**
 * Credentials that their form gives away: prefix, length and enough disorder. One for each value, at most 10.
 * Samples of manuals (`…EXAMPLE`), placeholders and keys that are made to be shown are none.
 */
export function secretsIn(text: string): Secret[] {
  const found = new Map<string, Secret>();
  for (const { kind, form, holds } of FORMS) {
    for (const [value, part = value] of text.slice(0, SEARCHED).matchAll(form)) {
      if (found.size < 10 && holds(part) && !PLACEHOLDER.test(part))
        found.set(value, { kind, value, masked: `${value.slice(0, 4)}… (${value.length} characters)` });
    }
  }
  return [...found.values()];
}

/** Bits of each character, by how often it occurs (Shannon). */
export function entropyOf(text: string): number {
  const counts = [...Map.groupBy(text, (character) => character).values()].map(({ length }) => length);
  return -counts.reduce((sum, count) => sum + (count / text.length) * Math.log2(count / text.length), 0);
}

const isDisorderly = (value: string): boolean => entropyOf(value) >= 3;

/** `form` captures the part that must hold; the whole match where it captures nothing. */
const FORMS: readonly { kind: string; form: RegExp; holds: (part: string) => boolean }[] = [
  {
    kind: "private key",
    form: /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----((?:\\[nr]|[\w+/=\s]){100,8000}?)-----END/g,
    holds: isDisorderly,
  },
  {
    kind: "AWS access key",
    // A signed link names the key that signed it, which is no secret.
    form: /(?<!(?:X-Amz-Credential|AWSAccessKeyId)(?:=|%3D))\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g,
    holds: isDisorderly,
  },
  { kind: "payment key", form: /\b[sr]k_live_([A-Za-z\d]{16,120})\b/g, holds: isDisorderly },
  { kind: "GitHub token", form: /\bgh[pousr]_([A-Za-z\d]{36})\b/g, holds: isDisorderly },
  { kind: "GitLab token", form: /\bglpat-([\w-]{20})\b/g, holds: isDisorderly },
  { kind: "Slack token", form: /\bxox[abprs]-(\d{8,}-[A-Za-z\d-]{16,})/g, holds: isDisorderly },
  { kind: "SendGrid key", form: /\bSG\.([\w-]{22}\.[\w-]{43})\b/g, holds: isDisorderly },
  { kind: "npm token", form: /\bnpm_([A-Za-z\d]{36})\b/g, holds: isDisorderly },
  { kind: "model provider key", form: /\bsk-(?:proj-|ant-(?:api03-)?)([\w-]{32,200})/g, holds: isDisorderly },
  {
    kind: "connection string with a password",
    form: /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver):\/\/[^\s:@/"'<>]{1,80}:([^\s@/"'<>]{4,120})@[\w.-]+/g,
    holds: (password) => entropyOf(password) >= 2,
  },
  { kind: "JSON Web Token", form: /\beyJ[\w-]{8,500}\.[\w-]{8,2000}\.[\w-]{16,1000}/g, holds: isToken },
];

const PLACEHOLDER = /example|placeholder|changeme|your[-_]?|password|passwd|secret|xxxx|\*{3}|\$\{|%s/i;

/** A token of a user (RFC 7519). Anonymous tokens, which pages give to every visitor, have an anonymous role. */
function isToken(text: string): boolean {
  const claims = jsonWebTokenOf(text)?.claims;
  if (!claims) return false;
  return "sub" in claims && !/^(anon|anonymous|guest|public)/i.test(String(claims["role"] ?? claims["sub"]));
}
