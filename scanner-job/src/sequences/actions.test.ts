import { expect, test } from "vitest";
import { isAction } from "./actions.ts";

const action = (text: string): boolean => {
  const [method = "", path = ""] = text.split(" ");
  return isAction({ method, path });
};

test.each(["POST /orders/{id}/ship", "POST /v1/vouchers/{code}/redeem", "POST /tasks/{id}/process"])(
  "%s is an action on an object",
  (text) => {
    expect(action(text)).toBe(true);
  },
);

test.each([
  ["POST /orders/{id}/comments", "creates something below it"],
  ["POST /orders/{id}/refund", "moves money"],
  ["POST /projects/{id}/invite", "reaches somebody else"],
  ["POST /orders/{id}", "has no verb"],
  ["POST /orders/ship", "names no object"],
  ["PUT /orders/{id}/ship", "replaces something"],
])("%s is none, because it %s", (text) => {
  expect(action(text)).toBe(false);
});
