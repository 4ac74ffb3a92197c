import { Buffer } from "node:buffer";

/** What replaces a secret. */
export const MASK = "[masked]";
/** Shorter values occur in texts that have nothing to do with them (docs/identities.md). */
const MIN_SECRET_LENGTH = 6;

/**
 * Replaces known secrets in texts, in every form in which a target returns them: as they are, escaped for JSON, HTML or a URL, in
 * hexadecimal, and in base64, also as a part of something longer.
 */
export class SecretMask {
  /** The longest first: a secret may be a part of another. */
  #forms: readonly string[] = [];
  readonly #known = new Set<string>();

  add(secrets: Iterable<string>): void {
    for (const secret of secrets)
      if (secret.length >= MIN_SECRET_LENGTH && !this.#known.has(secret)) {
        this.#known.add(secret);
        this.#forms = [...new Set([...this.#forms, ...formsOf(secret)])].toSorted(
          (a, b) => b.length - a.length,
        );
      }
  }

  mask(text: string): string {
    let masked = text;
    for (const form of this.#forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    return masked;
  }

  /** The values of headers. Their names stay: a target could choose a token that is the name of one. */
  maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.mask(value)]));
  }

  /**
   * The texts of a report that may quote the target. All else is the scanner's own words: a target could choose a token that is
   * one of them, such as a severity, and make the report unusable.
   */
  maskQuotes<Data>(data: Data): Data {
    return this.#forms.length === 0 ? data : (this.#masked(data, false) as Data);
  }

  #masked(data: unknown, isQuote: boolean): unknown {
    if (typeof data === "string") return isQuote ? this.mask(data) : data;
    if (Array.isArray(data)) return data.map((each) => this.#masked(each, isQuote));
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, this.#masked(value, isQuote || QUOTES.has(name))]),
    );
  }
}

/** Members of a report, a failure or a plan with texts of the target. */
const QUOTES: ReadonlySet<string> = new Set(["request", "response", "curl", "observed", "message", "notes"]);

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const percent = encodeURIComponent(secret);
  const hex = bytes.toString("hex");
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    escapedHtml(secret),
    percent,
    percent.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll("%20", "+"),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => {
      const part = base64Part(bytes, offset);
      return [part, part.replaceAll("+", "-").replaceAll("/", "_")];
    }),
  ];
  return forms.filter(({ length }) => length >= MIN_SECRET_LENGTH);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** The characters of base64 that depend on these bytes alone, where they begin at this offset in a group of three. */
function base64Part(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
