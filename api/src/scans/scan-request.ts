import { createHash } from "node:crypto";
import {
  ApiError,
  CONTEXTS,
  parseTargetUrl,
  scanRequestSchema,
  type ScanContext,
  type ScanRequest,
} from "@glovebox/contract";
import { fieldName } from "../http/json-body.ts";

/** As the document shows it: what is validated here, and no other fields. */
export const strictScanRequestSchema = scanRequestSchema.strict().meta({ id: "ScanRequest" });

const FIELDS = Object.keys(scanRequestSchema.shape);

/**
 * The request in normal form, judged by its text alone. Unknown fields are refused: a misspelt `specUrl` would otherwise make a shallower scan than was asked for.
 * @throws ApiError `invalid_request`, `invalid_url` or `invalid_context`, naming the field.
 */
export function parseScanRequest(body: unknown): ScanRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new ApiError("invalid_request", "body: must be a JSON object");
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new ApiError("invalid_request", `${fieldName(unknown)}: is not a known field`);

  const { url, specUrl, context } = body as Record<string, unknown>;
  return {
    url: parseTargetUrl("url", url).href,
    specUrl: specUrl === undefined ? undefined : parseTargetUrl("specUrl", specUrl).href,
    context: parseContext(context),
  };
}

/** The same for two bodies that ask for the same scan, however they are spaced and ordered. */
export const requestDigest = ({ url, specUrl, context }: ScanRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([url, specUrl ?? null, context ?? null]))
    .digest("hex");

function parseContext(value: unknown): ScanContext | undefined {
  const parsed = scanRequestSchema.shape.context.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_context", `context: must be one of ${CONTEXTS.join(", ")}`);
}
