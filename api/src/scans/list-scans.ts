import { scanListSchema, type ScanList } from "@glovebox/contract";
import * as z from "zod";
import { createRoute } from "../http/route.ts";
import { jsonResponse } from "../http/respond.ts";
import type { Services } from "../deps.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Decimal digits only: Number() also accepts "", " 1", "1e2" and "0x1". */
function wholeNumberParameter(min: number) {
  const error = `must be a whole number of at least ${min}`;
  const number = z.int(error).min(min, error).max(Number.MAX_SAFE_INTEGER, error);
  return z.preprocess((text) => (/^\d+$/.test(String(text)) ? Number(text) : text), number);
}

const listScansQuery = z.object({
  limit: wholeNumberParameter(1)
    .transform((limit) => Math.min(limit, MAX_LIMIT))
    .prefault(DEFAULT_LIMIT)
    .meta({ description: `Results per page; values above ${MAX_LIMIT} count as ${MAX_LIMIT}` }),
  offset: wholeNumberParameter(0).prefault(0).meta({ description: "Number of scans to skip" }),
});

export const listScans = createRoute({
  operationId: "listScans",
  method: "get",
  path: "/v1/scans",
  access: "key",
  scope: "scans:read",
  summary: "List the account's scans, newest first",
  query: listScansQuery,
  response: {
    status: 200,
    description: "A page of scans.",
    content: { type: "application/json", schema: scanListSchema },
  },
  errors: ["invalid_request"],
  async handler({ query, principal }, { store }: Services) {
    const { scans, total } = await store.scans.list(principal.account.id, query);
    return jsonResponse({ scans, total, ...query } satisfies ScanList);
  },
});
