import { ANONYMOUS } from "@glovebox/contract";
/** True when the brackets of a JSON text, those in its strings apart, nest deeper than `levels`. Reads no further then. @internal */
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

/**
 * What a request with a method that may write sends. `writes/policy.ts` decides by it, and by what is known of the operation,
 * whether the request is sent.
 */
export type WriteForm =
  /** As the operation is meant to be called. */
  | { readonly kind: "well-formed" }
  /**
   * No body that the operation takes: required members are missing, and what is there has the wrong type. With `without`,
   * the other members are well-formed, and only these required ones are missing.
   */
  | { readonly kind: "malformed"; readonly without?: readonly string[] }
  /** To an object that cannot exist, with a malformed body where the method has one. */
  | { readonly kind: "no-object" }
  /** To a path that cannot exist. */
  | { readonly kind: "no-path" }
  /** Credentials, or a code: `wrong` ones cannot be right, `likely` ones may be. */
  | { readonly kind: "attempt"; readonly credentials: "wrong" | "likely" }
  /** A prompt for a language model. */
  | { readonly kind: "prompt" }
  /** Of an active scan: creates an object, or an account, of its own. */
  | { readonly kind: "creation" }
  /** Of an active scan: changes or deletes what it created; `parallel` with others at the same time. */
  | { readonly kind: "own-object"; readonly parallel?: true }
  /** What an identity of the scan signs in with: its owner has asked for it, so nothing is decided about it. */
  | { readonly kind: "identity" }
  /** Ends or renews a session that was opened to be ended. Any other session is refused it (`identities/callers.ts`). */
  | { readonly kind: "session" };

export const WELL_FORMED: WriteForm = { kind: "well-formed" };
export const MALFORMED: WriteForm = { kind: "malformed" };
export const NO_OBJECT: WriteForm = { kind: "no-object" };
export const NO_PATH: WriteForm = { kind: "no-path" };
export const WRONG_ATTEMPT: WriteForm = { kind: "attempt", credentials: "wrong" };
export const OF_SESSION: WriteForm = { kind: "session" };
export const LIKELY_ATTEMPT: WriteForm = { kind: "attempt", credentials: "likely" };

export const CREATION: WriteForm = { kind: "creation" };
export const OWN_OBJECT: WriteForm = { kind: "own-object" };
export const IN_PARALLEL: WriteForm = { kind: "own-object", parallel: true };

/** A write that only an active scan sends, and `writes/active-policy.ts` decides about. */
export const isActiveWrite = ({ form }: Pick<ProbeRequest, "form">): boolean =>
  form?.kind === "creation" || form?.kind === "own-object";

/** Methods that are safe by definition (RFC 9110, section 9.2.1; QUERY by its draft). */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);

/** Whether `writes/policy.ts` decides about the request. */
export const mayWrite = (request: ProbeRequest): boolean =>
  !isSafe(request) && request.form?.kind !== "identity" && request.form?.kind !== "session";

export const isSafe = ({ method }: Pick<ProbeRequest, "method">): boolean => SAFE_METHODS.has(method);

/** A request of the scanner. */
export interface ProbeRequest {
  readonly method: string;
  /** Absolute, in normal form. */
  readonly url: string;
  /** Path and query exactly as sent, for requests that normalisation would change. */
  readonly rawPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The identity that sends it, or `ANONYMOUS`. Default: the baseline caller of the scan. */
  readonly as?: string;
  /** Required unless the method is safe: the request is not sent without it. */
  readonly form?: WriteForm;
}

/** What an API client accepts: JSON preferred, anything otherwise. */
export const ACCEPT_JSON = "application/json, */*;q=0.5";

/** A normal read of an address. */
export const readOf = (url: string): ProbeRequest => ({
  method: "GET",
  url,
  headers: { accept: ACCEPT_JSON },
});

/** A response, its body decoded and truncated to `MAX_BODY_BYTES`. `ResponseBudget` may cut it later. */
export class ProbeResponse {
  readonly request: ProbeRequest;
  readonly status: number;
  /** True when the body was truncated. */
  readonly truncated: boolean;
  /** From the first byte sent to the headers received, in milliseconds. */
  readonly elapsedMs: number;
  /** The identity that sent the request, or `ANONYMOUS`. */
  readonly caller: string;
  #headers: Readonly<Record<string, string>>;
  #body: string;
  /** Values take many times the memory of their text: they may go, and are parsed again. */
  #json: WeakRef<{ readonly value: unknown }> | undefined;
  #isBodyCut = false;
  #areHeadersCut = false;
  #isReadCut = false;

  constructor(parts: {
    request: ProbeRequest;
    status: number;
    headers: Readonly<Record<string, string>>;
    body: string;
    truncated?: boolean;
    elapsedMs?: number;
    caller?: string;
  }) {
    this.request = parts.request;
    this.status = parts.status;
    this.#headers = parts.headers;
    this.#body = parts.body;
    this.truncated = parts.truncated ?? false;
    this.elapsedMs = parts.elapsedMs ?? 0;
    this.caller = parts.caller ?? ANONYMOUS;
  }

  /** Names in lower case; repeated headers joined by a comma, `set-cookie` by a newline. */
  get headers(): Readonly<Record<string, string>> {
    this.#isReadCut ||= this.#areHeadersCut;
    return this.#headers;
  }

  get body(): string {
    this.#isReadCut ||= this.#isBodyCut;
    return this.#body;
  }

  /** Bytes in memory of what the target sent. */
  get bytes(): number {
    return [this.#body, ...Object.entries(this.#headers).flat()].reduce(
      (sum, text) => sum + bytesOf(text),
      0,
    );
  }

  /** True when only the start of the response was kept. */
  get isCut(): boolean {
    return this.#isBodyCut || this.#areHeadersCut;
  }

  /** True when a part was read after it was cut: what was concluded from it may be wrong. */
  get isReadCut(): boolean {
    return this.#isReadCut;
  }

  /** Keeps the start of a long body, and no headers where they are long. */
  cut(): void {
    if (this.#body.length > KEPT_CHARACTERS) {
      this.#isBodyCut = true;
      this.#json = undefined;
      this.#body = detached(this.#body.slice(0, KEPT_CHARACTERS));
    }
    if (JSON.stringify(this.#headers).length > KEPT_CHARACTERS) {
      this.#areHeadersCut = true;
      this.#headers = {};
    }
  }

  /**
   * The body as JSON; undefined when it is none, nested deeper than any record, or larger than `MAX_BODY_BYTES`, as only
   * API documents are, which a thread parses. Walk it with limits all the same.
   */
  get json(): unknown {
    const known = this.#json?.deref();
    if (known !== undefined) return known.value;
    const parsed = { value: parseJson(this.body) };
    this.#json = new WeakRef(parsed);
    return parsed.value;
  }

  /** Where a redirect leads, resolved against the request; undefined for other responses and unreadable addresses. */
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

/** Of a body, and of headers, that is kept of a response beyond the budget: enough for evidence. */
const KEPT_CHARACTERS = 2_048;

/** A copy of a part of a text: the part itself would keep the whole text in memory. */
export const detached = (part: string): string => structuredClone(part);

/** V8 stores a text in one byte a character unless one of them needs two. */
const bytesOf = (text: string): number => text.length * (/[^\0-\xff]/.test(text) ? 2 : 1);

/** Levels of nesting that no reasonable response exceeds; parsing more costs much memory. */
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
