import { expect, it } from "vitest";
import { operationFilterSchema } from "./operation-filter.ts";

it.each(["DELETE", "/admin/**", "POST /orders/*", "GET /orders/{orderId}", "tag:billing", "id:listOrders"])(
  "%s selects operations",
  (filter) => {
    expect(operationFilterSchema.safeParse(filter).success).toBe(true);
  },
);

it.each(["", "delete", "orders", "FETCH /orders", "tag:", "GET orders"])("“%s” is refused", (filter) => {
  expect(operationFilterSchema.safeParse(filter).success).toBe(false);
});
