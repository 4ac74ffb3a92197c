import { ApiError } from "@glovebox/contract";
import type { ApiRequest, ApiResponse } from "./request-context.ts";

/** Largest request body, in bytes (docs/decisions.md, "Errors"). */
const MAX_BODY_BYTES = 64 * 1024;
const FORM = "application/x-www-form-urlencoded";

/**
 * The JSON value in a request's body.
 * @throws ApiError `unsupported_media_type`, `payload_too_large` or `invalid_request`; none repeats the body.
 */
export async function readJsonBody(req: ApiRequest, res: ApiResponse): Promise<unknown> {
  requireJson(req.headers["content-type"], req.headers["content-encoding"]);
  return parseJson(await readText(req, res));
}

/**
 * The fields of a form in a request's body.
 * @throws ApiError `unsupported_media_type`, `payload_too_large` or `invalid_request`; none repeats the body.
 */
export async function readForm(req: ApiRequest, res: ApiResponse): Promise<URLSearchParams> {
  if (req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== FORM)
    throw new ApiError("unsupported_media_type", `must be ${FORM}`, { field: "Content-Type" });
  return new URLSearchParams(await readText(req, res));
}

/** @throws ApiError `payload_too_large`, or `invalid_request` when it is not UTF-8 */
const readText = async (req: ApiRequest, res: ApiResponse): Promise<string> =>
  decode(await readBody(req, res));

/** @throws ApiError `unsupported_media_type` unless it is plain JSON in UTF-8. */
export function requireJson(contentType: string | undefined, contentEncoding?: string): void {
  const refuse = (field: string, problem: string): never => {
    throw new ApiError("unsupported_media_type", problem, { field });
  };
  if (!contentType) return refuse("Content-Type", "is required, and must be application/json");
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  if (type.trim() !== "application/json") return refuse("Content-Type", "must be application/json");
  for (const parameter of parameters) {
    const [name, value = ""] = parameter.split("=");
    if (name?.trim() !== "charset") continue;
    if (!/^(utf-8|utf8)$/.test(value.trim().replaceAll('"', "")))
      return refuse("Content-Type", "charset must be utf-8");
  }
  if (contentEncoding && contentEncoding.trim().toLowerCase() !== "identity")
    return refuse("Content-Encoding", "is not supported; send the body uncompressed");
}

/** @throws ApiError `invalid_request`, naming the position. */
function parseJson(text: string): unknown {
  if (text.trim() === "") throw invalid("body", "is required");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid("body", `is not valid JSON${position(error)}`);
  }
  const duplicate = duplicateMember(text);
  if (duplicate !== undefined) throw invalid(fieldName(duplicate), "occurs more than once");
  return value;
}

async function readBody(req: ApiRequest, res: ApiResponse): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  if (req.headers.expect) res.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      req.off("data", collect);
      reject(error);
    };
    const collect = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BODY_BYTES) stop(tooLarge());
    };
    req.on("data", collect);
    req.once("end", () => resolve(Buffer.concat(chunks)));
    const onClose = (): void => void (req.readableEnded || stop(invalid("body", "ended early")));
    req.once("error", onClose);
    req.once("close", onClose);
  });
}

// Keeps a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("body", "is not valid UTF-8");
  }
}

// The message of V8 quotes the text; only the position is shown.
function position(error: unknown): string {
  const at = /at position (\d+)/.exec((error as Error).message)?.[1];
  return at === undefined ? "" : ` (at position ${at})`;
}

const invalid = (field: string, problem: string): ApiError =>
  new ApiError("invalid_request", problem, { field });
const tooLarge = (): ApiError =>
  new ApiError("payload_too_large", `is larger than ${MAX_BODY_BYTES} bytes`, { field: "body" });

/**
 * The name of the first member that occurs twice in one object of a valid JSON text, or undefined. JSON.parse silently uses the
 * last one; a proxy in front may have used the first (RFC 8259, section 4).
 * @internal
 */
export function duplicateMember(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    // In valid JSON a string is a member's name exactly when a colon follows.
    else if (text !== undefined && colon !== undefined) {
      const name = JSON.parse(text) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}

const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[{}[\]]/g;

const MAX_NAME_LENGTH = 64;

/** A field's name for error messages: the client chose it, so unusual names are not repeated. */
export function fieldName(name: string): string {
  return /^[\w.$-]+$/.test(name) && name.length <= MAX_NAME_LENGTH ? name : "a field with an unusual name";
}

/** The path to a field, as `identities.0.headers.Authorization`. */
export const fieldPath = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === "string" ? fieldName(part) : String(part))).join(".");
