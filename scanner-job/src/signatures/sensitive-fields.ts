import { nameOf, objectOf, pathOf, walk } from "../json.ts";
import { plainName } from "../names.ts";

/** A field whose name and value both indicate a secret. */
export interface SensitiveField {
  /** Dotted, `[]` for items: `users[].passwordHash`. */
  readonly path: string;
  readonly kind: Kind;
  readonly value: string;
  /** Its length and first characters only: fit for a report. */
  readonly masked: string;
}

export type Kind = "password" | "token" | "secret" | "identity number" | "card number" | "card code";

/** Secrets in a response, one for each path. A name alone is not enough, nor is a value that is masked or a sample. */
export function sensitiveFields(json: unknown): SensitiveField[] {
  const found = new Map<string, SensitiveField>();
  for (const { path, name, value, parent } of valuesIn(json)) {
    const kind = kindOfName(name);
    if (kind === undefined || found.has(path)) continue;
    if (kind === "password" && isLabel(value, parent)) continue;
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && !PLACEHOLDER.test(text) && RULES[kind].value(text))
      found.set(path, {
        path,
        kind,
        value: text,
        masked: `${text.slice(0, 2)}… (${text.length} characters)`,
      });
  }
  return [...found.values()];
}

/** What a field of this name would hold; undefined for names that are not sensitive by themselves. */
export function kindOfName(name: string): Kind | undefined {
  const plain = plainName(name);
  return KINDS.find((kind) => RULES[kind].name.test(plain));
}

/** Every text, number and flag of a response with the path and name of its field, breadth first, within bounds. */
export const valuesIn = (json: unknown): { path: string; name: string; value: unknown; parent: unknown }[] =>
  [...walk(json, { depth: 7, items: 20 })]
    .filter(({ value, parent }) => typeof value !== "object" && parent !== undefined)
    .map((node) => ({
      path: pathOf(node),
      name: nameOf(node),
      value: node.value,
      parent: node.parent?.value,
    }));

/** A word for a form's field, as translations have it: letters alone, beside nothing that identifies an owner. */
const isLabel = (value: unknown, parent: unknown): boolean =>
  typeof value === "string" &&
  /^\p{L}+$/u.test(value) &&
  !Object.entries(objectOf(parent)).some(
    ([name, other]) => IDENTITY.test(plainName(name)) && /[\d@]/.test(String(other)),
  );
const IDENTITY = /id$|^(uuid|e?mail\w*|user(name)?|login)$/;

const isOpaque = (text: string): boolean =>
  text.length >= 16 && /^[\w.~+/=:$-]+$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text);
/** Keys that are made to be shown: of maps in web pages, and publishable ones of payment providers. */
const isPublishable = (text: string): boolean => /^(AIza|pk[_-])/.test(text);

const RULES: Readonly<Record<Kind, { name: RegExp; value: (text: string) => boolean }>> = {
  password: {
    name: /^(user|admin|db|hashed|encrypted|old|current)?(password|passwd|pwd|passphrase)(hash|digest|hashed|encrypted|salt)?$/,
    value: (text) => text.length >= 4 && !/\s/.test(text),
  },
  token: {
    name: /^(api|access|auth|refresh|session|reset|passwordreset|resetpassword|bearer|remember|invite)token$|^(api|access)key$|^sessionid$/,
    value: (text) => isOpaque(text) && !isPublishable(text),
  },
  secret: {
    name: /^(client|app|api|shared|signing|webhook|jwt|consumer|oauth|mfa|totp|otp|twofactor|2fa)?secret(key|accesskey)?$|^private(key|pem)$|^secretaccesskey$/,
    value: (text) => text.length >= 8 && (!/\s/.test(text) || text.startsWith("-----BEGIN")),
  },
  "identity number": {
    name: /^(ssn|socialsecurity(number|no)?|nationalid(number)?|passport(number|no))$/,
    value: (text) => /^[A-Z\d][A-Z\d -]{5,18}$/i.test(text) && (text.match(/\d/g)?.length ?? 0) >= 5,
  },
  "card number": {
    name: /^(credit|debit|payment)?card(number|no)?$|^creditcard$|^pan$/,
    value: (text) => /^[\d -]{13,23}$/.test(text) && passesLuhn(text.replace(/\D/g, "")),
  },
  "card code": { name: /^(cvv2?|cvc2?|cardcode|securitycode)$/, value: (text) => /^\d{3,4}$/.test(text) },
};
const KINDS = Object.keys(RULES) as Kind[];

const PLACEHOLDER =
  /^(string|test|example|changeme|null|none|undefined|true|false|hidden|secret|password|redacted|masked|n\/a)$|^[*•x#.-]+$|[*•]{3}|\[(masked|redacted|filtered|hidden)\]|^<.*>$/i;

/** Check digit of card numbers (ISO/IEC 7812-1). */
function passesLuhn(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || /^0+$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
