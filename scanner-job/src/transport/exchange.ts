/** True when the brackets of a JSON text, those in its strings apart, nest deeper than `levels`. Reads no further then. */
export function nestsDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\\") at++;
    else if (sign === '"') inString = !inString;
    else if (!inString) depth += STEPS[sign] ?? 0;
    if (depth > levels) return true;
  }
  return false;
}

const STEPS: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };

/** A request of the scanner. A method that may write needs a reason why this request does not. */
export interface ProbeRequest {
  readonly method: string;
  /** Absolute, in normal form. */
  readonly url: string;
  /** Path and query exactly as sent, for requests that normalisation would change. */
  readonly rawPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Required for every method but GET, HEAD, OPTIONS and TRACE: `send` refuses the request without it. */
  readonly harmlessBecause?: string;
}

/** What an API client accepts: JSON preferred, anything otherwise. */
export const ACCEPT_JSON = "application/json, */*;q=0.5";

/** An ordinary read of an address. */
export const readOf = (url: string): ProbeRequest => ({
  method: "GET",
  url,
  headers: { accept: ACCEPT_JSON },
});

/** A response, its body decoded and truncated to `MAX_BODY_BYTES`. */
export class Reply {
  readonly request: ProbeRequest;
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma, `set-cookie` by a newline. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True when the body was truncated. */
  readonly truncated: boolean;
  /** From the first byte sent to the headers received, in milliseconds. */
  readonly elapsedMs: number;
  #json: Parsed | WeakRef<Parsed> | undefined;

  constructor(parts: {
    request: ProbeRequest;
    status: number;
    headers: Readonly<Record<string, string>>;
    body: string;
    truncated?: boolean;
    elapsedMs?: number;
  }) {
    this.request = parts.request;
    this.status = parts.status;
    this.headers = parts.headers;
    this.body = parts.body;
    this.truncated = parts.truncated ?? false;
    this.elapsedMs = parts.elapsedMs ?? 0;
  }

  /**
   * The body as JSON; undefined when it is none, nested deeper than any record, or larger than `MAX_BODY_BYTES`, as only
   * API documents are, which a thread parses. Walk it with limits all the same.
   */
  get json(): unknown {
    const known = this.#json instanceof WeakRef ? this.#json.deref() : this.#json;
    if (known !== undefined) return known.value;
    const parsed = { value: parseJson(this.body) };
    this.#json = this.body.length > LARGE ? new WeakRef(parsed) : parsed;
    return parsed.value;
  }

  /** Where a redirect leads, resolved against the request; undefined for other answers and unreadable addresses. */
  get redirectTarget(): URL | undefined {
    const location = this.headers["location"];
    if (this.status < 300 || this.status > 399 || location === undefined) return undefined;
    return URL.canParse(location, this.request.url) ? new URL(location, this.request.url) : undefined;
  }

  /** Media type in lower case, without parameters; empty without a Content-Type header. */
  get mediaType(): string {
    return (this.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  }
}

/** Default limit of a body, in bytes after decoding. */
export const MAX_BODY_BYTES = 1024 * 1024;

interface Parsed {
  readonly value: unknown;
}

/** Characters. Values take many times the memory of their text: those of larger bodies may go, and are parsed again. */
const LARGE = 64 * 1024;
/** Levels of nesting that no reasonable answer exceeds; parsing more costs much memory. */
const MAX_LEVELS = 200;

function parseJson(text: string): unknown {
  if (text.length > MAX_BODY_BYTES || !/^\s*[[{"\d\-tfn]/.test(text) || nestsDeeper(text, MAX_LEVELS))
    return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
