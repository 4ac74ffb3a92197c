import { ApiError } from "@glovebox/contract";
import * as z from "zod";

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** Parameters of GET /v1/scans. */
export const listQuerySchema = z.object({
  limit: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .default(DEFAULT_LIMIT)
    .meta({ description: `Results per page; above ${MAX_LIMIT} it is applied as ${MAX_LIMIT}` }),
  offset: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({ description: "Scans to leave out before the first" }),
});

const REASONS = {
  limit: "limit: must be a whole number of at least 1",
  offset: "offset: must be a whole number of at least 0",
} as const;

/**
 * The page that a query string asks for. Parameters that are not known are ignored: /v1 only adds.
 * @throws ApiError `invalid_request`, naming the parameter.
 */
export function parseListQuery(query: string): { limit: number; offset: number } {
  if (query === "") return { limit: DEFAULT_LIMIT, offset: 0 };
  const parameters = new URLSearchParams(query);
  for (const name of ["limit", "offset"] as const)
    if (parameters.getAll(name).length > 1)
      throw new ApiError("invalid_request", `${name}: occurs more than once`);

  const parsed = listQuerySchema.safeParse({
    limit: wholeNumber(parameters.get("limit")),
    offset: wholeNumber(parameters.get("offset")),
  });
  if (parsed.success) return { ...parsed.data, limit: Math.min(parsed.data.limit, MAX_LIMIT) };
  const field = parsed.error.issues[0]?.path[0] === "offset" ? "offset" : "limit";
  throw new ApiError("invalid_request", REASONS[field]);
}

// Number() also reads "", " 1", "1e2" and "0x1"; none of these is a whole number written plainly.
const wholeNumber = (text: string | null): number | string | undefined =>
  text === null ? undefined : /^\d+$/.test(text) ? Number(text) : text;
