/** The name of a secret in a configuration file, and its value. */
export interface AssignedSecret {
  readonly name: string;
  /**
   * `weak`: a password that anybody guesses, in use or not; `sample`: what stands instead of a secret in a manual; `masked`:
   * the server hides it.
   */
  readonly value: "real" | "weak" | "sample" | "masked";
  /** Fit for a report. */
  readonly masked: string;
}

/** Characters of a text that are searched. */
const SEARCHED = 65_536;

/** Secrets that settings of any form give: `NAME=value`, `name: value`, `"name": {"value": "…"}`. At most 50, each name once. */
export function assignedSecretsIn(text: string): AssignedSecret[] {
  const found = new Map<string, AssignedSecret>();
  for (const [, name = "", value = ""] of text.slice(0, SEARCHED).matchAll(ASSIGNMENT)) {
    if (!isSecretName(name) || found.size >= 50) continue;
    if (found.get(name)?.value !== "real")
      found.set(name, { name, value: kindOf(value), masked: `${name} (${value.length} characters)` });
  }
  return [...found.values()];
}

const kindOf = (value: string): AssignedSecret["value"] => {
  if (MASKED.test(value)) return "masked";
  if (WEAK.test(value)) return "weak";
  return isNoSecret(value) ? "sample" : "real";
};

const ASSIGNMENT =
  /(?<![\w.-])["']?([A-Za-z_][\w.-]{2,60})["']?[ \t]{0,4}[:=][ \t]{0,4}(?:\{\s{0,8}"value"\s{0,4}:\s{0,4})?["']?([^\s"',;<>{}]{1,300})/g;
/** A token against forged requests, or a nonce of a page, is given to every visitor. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !FOR_VISITORS.test(name);

const FOR_VISITORS = /csrf|xsrf|nonce|authenticity/i;
const WEAK = /^(password|passwd|secret|test|default|admin|root|\d{4,6})$/i;
const SECRET_NAME =
  /(secret|token|passw(or)?d|passphrase|_pwd|_pass|^pass|^pwd|api_?key|access_?key|private_?key|signing_?key|encryption_?key|app_?key|credentials?|[_.]dsn|^dsn)(_base)?$/i;

/** What stands where a secret would: an empty or example value, a reference to a variable, a flag, a number or a version. */
export const isNoSecret = (value: string): boolean =>
  value.length < 4 ||
  PLACEHOLDER.test(value) ||
  RULE.test(value) ||
  /^\d{1,6}$|^[\^~=]{0,2}v?\d{1,4}(\.[\dx*]{1,6}){1,3}/.test(value);

/** What a route, a rewrite rule or its regular expression has instead of a value. */
const RULE = /^\^|^\/.{0,200}[(*:$]|\(\.[*+]|\(\?[<:]|\$\d|^:\w/;

const MASKED = /\*{3}|[•●]{3}|redacted|masked|hidden|filtered/i;
const PLACEHOLDER =
  /^(null|none|nil|true|false|undefined|string|secret|password|passwd|token|test|dummy|todo|default|required|optional)$|change[-_]?(me|it|this)|replace[-_]?(me|this)|your[-_]|^your|placeholder|example|x{3}|^[.…]+$|\$\{|\$\(|^\$[A-Z_]|^%|process\.env|os\.environ|getenv|env\(|ENV\[/i;
