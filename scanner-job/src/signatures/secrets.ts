import { isNoSecret } from "./assigned-secrets.ts";
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
  for (const { kind, form, holds, unless } of FORMS) {
    for (const { 0: value, 1: part = value, index } of text.slice(0, SEARCHED).matchAll(form)) {
      if (unless?.test(text.slice(Math.max(0, index - 40), index + value.length + 160))) continue;
      if (found.size < 10 && holds(part) && !PLACEHOLDER.test(part))
        found.set(value, { kind, value, masked: `${value.slice(0, 4)}… (${value.length} characters)` });
    }
  }
  return [...found.values()];
}

/** Bits of each character, by how often it occurs (Shannon). @internal */
export function entropyOf(text: string): number {
  const counts = [...Map.groupBy(text, (character) => character).values()].map(({ length }) => length);
  return -counts.reduce((sum, count) => sum + (count / text.length) * Math.log2(count / text.length), 0);
}

const isHash = (): boolean => true;
const isDisorderly = (value: string): boolean => entropyOf(value) >= 3;

interface Form {
  readonly kind: string;
  /** Captures the part that must hold; the whole match where it captures nothing. */
  readonly form: RegExp;
  readonly holds: (part: string) => boolean;
  /** What around it shows that it is not a secret. */
  readonly unless?: RegExp;
}

const FORMS: readonly Form[] = [
  {
    kind: "private key",
    form: /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----((?:\\[nr]|[\w+/=\s]){100,8000}?)-----END/g,
    holds: isDisorderly,
  },
  {
    kind: "AWS access key",
    // A signed link names the key that signed it, which is not a secret.
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
  { kind: "Google access token", form: /\bya29\.([\w-]{20,300})/g, holds: isDisorderly },
  {
    kind: "Google API key",
    form: /\bAIza([\w-]{35})(?![\w-])/g,
    holds: isDisorderly,
    // Keys of maps and of Firebase are made to be shown.
    unless: /map|[?&]key=|authDomain|firebase/i,
  },
  { kind: "Azure storage key", form: /\bAccountKey=([A-Za-z\d+/]{86}==)/g, holds: isDisorderly },
  {
    kind: "Slack webhook",
    form: /hooks\.slack\.com\/(?:services|workflows)\/T\w{6,12}\/\w{6,14}\/(\w{16,40})/g,
    holds: isDisorderly,
  },
  {
    kind: "Teams webhook",
    form: /(?:outlook\.office(?:365)?|[\w-]{1,60}\.webhook\.office)\.com\/webhook\w{0,2}\/([\da-f-]{36}[^\s"'<>]{0,200})/gi,
    holds: isDisorderly,
  },
  {
    kind: "Discord webhook",
    form: /discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/([\w-]{60,80})/g,
    holds: isDisorderly,
  },
  { kind: "Telegram bot token", form: /\b\d{8,10}:(AA[\w-]{33})(?![\w-])/g, holds: isDisorderly },
  {
    kind: "Braintree token",
    form: /\baccess_token\$(?:production|sandbox)\$([a-z\d]{16}\$[a-f\d]{32})\b/g,
    holds: isDisorderly,
  },
  { kind: "Square token", form: /\bsq0(?:atp|csp)-([\w-]{22,43})/g, holds: isDisorderly },
  { kind: "Twilio key", form: /\bSK([a-f\d]{32})\b/g, holds: isDisorderly },
  { kind: "Mailgun key", form: /\bkey-([a-f\d]{32})\b/g, holds: isDisorderly },
  { kind: "Mailchimp key", form: /\b([a-f\d]{32}-us\d{1,2})\b/g, holds: isDisorderly },
  { kind: "Shopify token", form: /\bshp(?:at|ca|pa|ss)_([a-f\d]{32})\b/g, holds: isDisorderly },
  { kind: "DigitalOcean token", form: /\bdo[opr]_v1_([a-f\d]{64})\b/g, holds: isDisorderly },
  { kind: "Hugging Face token", form: /\bhf_([A-Za-z]{34})\b/g, holds: isDisorderly },
  { kind: "Databricks token", form: /\bdapi([a-f\d]{32})\b/g, holds: isDisorderly },
  { kind: "Vault token", form: /\bhvs\.([\w-]{24,200})/g, holds: isDisorderly },
  { kind: "PyPI token", form: /\bpypi-(AgEIcHlwaS5vcmc[\w-]{50,300})/g, holds: isDisorderly },
  { kind: "Facebook token", form: /\b(EAAC[A-Za-z\d]{20,300})\b/g, holds: isDisorderly },
  {
    kind: "password hash",
    form: /\$2[abxy]\$\d\d\$[./A-Za-z\d]{53}|\$argon2(?:id|i|d)\$v=\d{1,3}\$[^\s"'<>]{20,300}|\bpbkdf2_sha(?:1|256)\$\d{3,8}\$[^\s"'<>]{20,200}|\$[56]\$[./\w]{8,16}\$[./\w]{43,86}/g,
    holds: isHash,
  },
  {
    kind: "assigned secret",
    form: /\b(?![A-Z\d_]{0,40}(?:CSRF|XSRF|NONCE))[A-Z][A-Z\d_]{2,40}(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY|PRIVATE_KEY)=([^\s"'&<>,;]{12,200})/g,
    holds: (value) => isDisorderly(value) && !isNoSecret(value),
  },
  {
    kind: "address with a password",
    form: /\b(?:https?|ftps?|sftp|ssh|smtps?|imaps?|ldaps?):\/\/[^\s:@/"'<>]{1,80}:([^\s@/"'<>]{4,120})@[\w.-]+/g,
    holds: (password) => entropyOf(password) >= 2 && !isNoSecret(password),
  },
  {
    kind: "connection string with a password",
    form: /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver):\/\/[^\s:@/"'<>]{1,80}:([^\s@/"'<>]{1,120})@[\w.-]+/g,
    // A short one protects a database no less than a long one.
    holds: (password) => !/^(pw|pwd|pass|x+|\.+|\[.*)$/i.test(password),
  },
  { kind: "JSON Web Token", form: /\beyJ[\w-]{8,500}\.[\w-]{8,2000}\.[\w-]{16,1000}/g, holds: isToken },
];

const PLACEHOLDER = /example|placeholder|changeme|your[-_]?|password|passwd|secret|xxxx|\*{3}|\$\{|%s/i;

/** A token of a user (RFC 7519). Anonymous tokens, which pages give to every visitor, have an anonymous role. */
function isToken(text: string): boolean {
  const claims = jsonWebTokenOf(text)?.claims;
  // Without the sample of every manual on tokens.
  if (!claims || claims["sub"] === "1234567890") return false;
  return "sub" in claims && !/^(anon|anonymous|guest|public)/i.test(String(claims["role"] ?? claims["sub"]));
}
