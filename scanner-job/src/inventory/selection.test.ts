import type { OperationFilters } from "@glovebox/domain";
import { describe, expect, test } from "vitest";
import type { AppliedFilters } from "../transport/request-filter.ts";
import { NetworkError } from "../transport/network-error.ts";
import { discoveredOperation } from "./operation.ts";
import { Selection } from "./selection.ts";

const TARGET = "https://api.example/v2";
const NONCE = "zqxjkvbnmwptzqxj";
const operation = (method: string, path: string, more: object = {}) =>
  discoveredOperation({ method, path, base: "/v2", source: "spec", ...more });
const OPERATIONS = [
  operation("GET", "/orders"),
  operation("GET", "/orders/{id}", { operationId: "getOrder" }),
  operation("DELETE", "/orders/{id}"),
  operation("GET", "/orders/search"),
  operation("GET", "/billing/invoices", { tags: ["billing"] }),
  operation("POST", "/graphql", { operationId: "books", graphqlField: "books" }),
  operation("POST", "/graphql", { operationId: "purgeBooks", graphqlField: "purgeBooks" }),
];

function selection(filters: OperationFilters) {
  const made = new Selection(filters, {
    target: new URL(TARGET),
    specUrl: "https://api.example/openapi.json",
  });
  made.exempt(NONCE);
  const selected = made
    .among(OPERATIONS)
    .map(({ method, path, operationId = "" }) => `${method} ${path} ${operationId}`.trim());
  const admits = (call: string, more: object = {}, filters: AppliedFilters = "all"): boolean => {
    const [method = "", path = ""] = call.split(" ");
    try {
      made.admit({ method, url: `https://api.example${path}`, ...more }, filters);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ kind: "not_selected" } satisfies Partial<NetworkError>);
      return false;
    }
  };
  return { made, selected, admits };
}

describe("the operations that are listed", () => {
  test.each<[OperationFilters, string[]]>([
    [{ include: ["tag:billing", "id:getOrder"] }, ["GET /orders/{id} getOrder", "GET /billing/invoices"]],
    [{ include: ["/v2/orders/{orderId}"], exclude: ["DELETE"] }, ["GET /orders/{id} getOrder"]],
    [{ exclude: ["/orders/**", "tag:billing", "id:purgeBooks"] }, ["POST /graphql books"]],
  ])("the operations that are listed by %j are %j", (filters, names) => {
    expect(selection(filters).selected).toEqual(names);
  });

  test("the operations that are listed are all without filters", () => {
    const { made, selected } = selection({});
    expect(selected).toHaveLength(OPERATIONS.length);
    expect(made.isEverything).toBe(true);
  });

  test("leave out others, and some filters match none of them", () => {
    const { made } = selection({ exclude: ["/billing/**", "/biling/**", "tag:other"] });
    expect(made.leftOut).toBe(1);
    expect(made.unmatched).toEqual(["/biling/**", "tag:other"]);
  });
});

describe("a request", () => {
  test.each<[OperationFilters, string, boolean]>([
    [{ exclude: ["DELETE"] }, "DELETE /v2/orders/7", false],
    [{ exclude: ["DELETE"] }, "DELETE /other", false],
    [{ exclude: ["DELETE"] }, `DELETE /v2/${NONCE}`, false],
    [{ exclude: ["DELETE"] }, "GET /v2/orders/7?_method=DELETE", false],
    [{ exclude: ["DELETE"] }, "GET /v2/orders/7", true],
    [{ exclude: ["GET"] }, "HEAD /v2/orders/7", false],
    [{ exclude: ["/orders/{id}"] }, "GET /v2/orders/7", false],
    [{ exclude: ["/orders/{id}"] }, "GET /v2/orders/search", true],
    [{ exclude: ["/orders/7"] }, "GET /v2/orders/7", false],
    [{ exclude: ["/orders/7"] }, "GET /v2/orders/8", true],
    [{ exclude: ["/billing/**"] }, "GET /v2/Billing/invoices", false],
    [{ exclude: ["/billing/**"] }, "GET /v1/billing/else", false],
    [{ exclude: ["/billing/**"] }, "GET /billing", false],
    [{ exclude: ["/billing/**"] }, "GET /v2/billings", true],
    [{ exclude: ["tag:billing"] }, "GET /v2/billing/invoices", false],
    [{ exclude: ["tag:billing"] }, "GET /v1/billing/invoices", false],
    [{ exclude: ["tag:billing"] }, "GET /v2/BILLING/invoices", false],
    [{ exclude: ["tag:billing"] }, "GET /billing/invoices", false],
    [{ exclude: ["tag:billing"] }, "GET /v1/billing/receipts", true],
    [{ exclude: ["/*"] }, `GET /${NONCE}`, true],
    [{ exclude: ["/*"] }, "GET /v2/orders/7", true],
    [{ exclude: ["/**"] }, "GET /v2", true],
    [{ exclude: ["id:purgeBooks"] }, "POST /v2/graphql", true],
    [{ exclude: ["id:purgeBooks", "id:books"] }, "POST /v2/graphql", false],
    [{ include: ["GET /orders/**"] }, "GET /v2/orders/7", true],
    [{ include: ["GET /orders/**"] }, "HEAD /v2/orders/7", true],
    [{ include: ["GET /orders/**"] }, "PUT /v2/orders/7", false],
    [{ include: ["GET /orders/**"] }, "GET /v2/orders/7?_method=PUT", false],
    [{ include: ["GET /orders/**"] }, "GET /.env", false],
    [{ include: ["GET /orders/**"] }, "GET /v2", true],
    [{ include: ["GET /orders/**"] }, "GET /openapi.json", true],
    [{ include: ["GET /orders/**"] }, `GET /${NONCE}.json`, true],
    [{ include: ["tag:billing"] }, "GET /v2/billing/invoices", true],
    [{ include: ["tag:billing"] }, "GET /v2/orders", false],
    [{ include: ["/orders/**"], exclude: ["/orders/search"] }, "GET /v2/orders/search", false],
    [{}, "DELETE /anything", true],
  ])("a request with %j, %s is sent: %s", (filters, call, expected) => {
    expect(selection(filters).admits(call)).toBe(expected);
  });

  test("a request is decided again once an operation is learned", () => {
    const { made, admits } = selection({ exclude: ["tag:late"] });
    expect(admits("GET /v2/late")).toBe(true);
    made.among([operation("GET", "/late", { tags: ["late"] })]);
    expect(admits("GET /v2/late")).toBe(false);
  });

  test.each<[string, object]>([
    ["in a header", { headers: { "x-original-url": "/v2/billing/invoices" } }],
    ["in another spelling", { rawPath: "//v2/x/..;/billing/%69nvoices" }],
  ])(
    "a request that has an excluded path %s is not sent, also not to the target's own address",
    (_, more) => {
      const { admits } = selection({ exclude: ["/billing/**"] });
      expect(admits("GET /v2", more)).toBe(false);
      expect(admits(`GET /${NONCE}`, more)).toBe(false);
    },
  );

  test("a request that looks for the document is held to `exclude` only", () => {
    const { admits } = selection({ include: ["/orders/**"], exclude: ["/docs/**"] });
    expect(admits("GET /swagger.json", {}, "exclude")).toBe(true);
    expect(admits("GET /docs/openapi.json", {}, "exclude")).toBe(false);
  });
});
