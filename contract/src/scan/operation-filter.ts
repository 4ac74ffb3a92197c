import * as z from "zod";

/** Filters of one scan at most, of each kind. */
export const MAX_FILTERS = 50;

const METHOD = "(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|QUERY)";
const FILTER = new RegExp(`^(?:${METHOD}(?: /\\S*)?|/\\S*|tag:.+|id:.+)$`);

/**
 * Which operations a scan may call: `DELETE`, `/admin/**`, `POST /orders/*`, `tag:billing` or `id:listOrders`. In a path, `*` is
 * one segment or a part of it and `**` any number of them; a path parameter may be written as in the document or as `*`.
 */
export const operationFilterSchema = z
  .string()
  .max(500)
  .regex(FILTER, "must be a method, a path, both, `tag:` or `id:`, as `POST /orders/*`")
  .meta({
    description: "A method, a path pattern, both, `tag:NAME` or `id:OPERATION_ID`",
    example: "POST /orders/*",
  });

export const operationFiltersSchema = z
  .array(operationFilterSchema)
  .max(MAX_FILTERS, `must not be more than ${MAX_FILTERS}`);
