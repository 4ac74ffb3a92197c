import { MASK } from "../identities/secret-mask.ts";
import { secretsIn } from "../signatures/secrets.ts";
import { detached } from "../transport/exchange.ts";

/** Maximum length of a body in evidence, in characters. */
const MAX_EVIDENCE_BODY = 2048;

const SECRET_HEADERS = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "x-auth-token",
]);

const SECRETS: readonly RegExp[] = [
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, // JWT
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj)[-_][A-Za-z0-9_-]{10,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:sk-ant-|glpat-|npm_|SG\.)[A-Za-z0-9_.-]{16,}/g,
  /(?<=\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/"'<>]{1,80}:)[^\s@/"'<>]{1,200}(?=@)/gi, // password in an address
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/g, // bcrypt
  /\b\d{3}-\d{2}-\d{4}\b/g, // US social security number
  /\b(?:\d[ -]?){12,18}\d\b/g, // card numbers, and other long digit runs with them
];

/** `"password": "…"`, `DB_PASSWORD=…`, `"apiKey":"…"`: the name stays, the value goes. */
const NAMED_SECRET =
  /((?:pass(?:word|wd|phrase)?|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|ssn)[\w-]{0,64}["']?\s*[:=]\s*)(["']?)([^"'\s,;&}<]{3,})\2/gi;

/** The first letter stays, and the domain: enough to recognise whose it is. */
const EMAIL = /(?<![\w.%+-])([\w%+-])[\w.%+-]{0,63}@((?:[\w-]{1,63}\.){1,6}[A-Za-z]{2,24})(?![\w-])/g;
/** Fields of JSON that hold personal data, and the first two characters of their value. */
const PERSONAL =
  /("(?:(?:full|first|last|sur|given|family|maiden|patient|customer|owner)[-_]?name|date[-_]?of[-_]?birth|birth[-_]?(?:date|day)|dob|(?:home|mobile|cell)?[-_]?phone(?:[-_]?number)?|mobile(?:[-_]?number)?|(?:home|street|residential)[-_]?address|iban|passport(?:[-_]?(?:number|no))?|(?:national|tax)[-_]?id|diagnos[ie]s)"\s{0,8}:\s{0,8}"[^"\\]{1,2})[^"\\]{1,300}(?=")/gi;
/** A name is a person's where it stands beside other personal data; else it may be a product's. */
const NAME = /("name"\s{0,8}:\s{0,8}"[^"\\]{1,2})[^"\\]{1,300}(?=")/gi;

/** Personal data masked, with enough left to prove that it was there. */
function maskPersons(text: string): string {
  const masked = text.replace(EMAIL, "$1***@$2").replace(PERSONAL, "$1***");
  return masked === text ? text : masked.replace(NAME, "$1***");
}

/** Text fit for a report: secrets and personal data masked, cut, and free of characters that JSON or a database cannot carry. */
export function redactText(text: string, limit: number = MAX_EVIDENCE_BODY): string {
  // Cut first with a margin, so that a long body costs little; then again, because a mask changes the length.
  let safe = detached(text.slice(0, limit * 2))
    .toWellFormed()
    .replaceAll("\0", "\u{FFFD}");
  safe = safe.replace(NAMED_SECRET, `$1$2${MASK}$2`);
  for (const secret of SECRETS) safe = safe.replace(secret, MASK);
  // What a finding is about is masked by the same rule by which it was found.
  for (const { value } of secretsIn(safe)) safe = safe.replaceAll(value, MASK);
  safe = maskPersons(safe);
  return safe.length > limit || text.length > limit ? `${safe.slice(0, limit).toWellFormed()}…` : safe;
}

/** Headers fit for a report; at most 40, each cut. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).slice(0, 40);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      redactText(name, 100),
      SECRET_HEADERS.has(name.toLowerCase()) ? maskedHeader(name, value) : redactText(value, 300),
    ]),
  );
}

/** A cookie's name and attributes are evidence; its value is not. */
const maskedHeader = (name: string, value: string): string =>
  name === "set-cookie" ? redactText(value.replace(/^([^=;\n]+=)[^;\n]*/gm, `$1${MASK}`), 300) : MASK;
