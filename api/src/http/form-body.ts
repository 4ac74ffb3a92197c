import { ApiError } from "@glovebox/contract";
import { readText } from "./json-body.ts";
import type { ApiRequest, ApiResponse } from "./request-context.ts";

const TYPE = "application/x-www-form-urlencoded";

/**
 * The fields of a form in a request's body.
 * @throws ApiError `unsupported_media_type`, `payload_too_large` or `invalid_request`; none repeats the body.
 */
export async function readForm(req: ApiRequest, res: ApiResponse): Promise<URLSearchParams> {
  if (req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== TYPE)
    throw new ApiError("unsupported_media_type", `Content-Type: must be ${TYPE}`);
  return new URLSearchParams(await readText(req, res));
}
