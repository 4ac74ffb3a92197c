import { operationFilterSchema } from "@glovebox/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSelected, matches, scopeText, type FilterSubject } from "./operation-filter.ts";

const subject = (operation: string, more: Partial<FilterSubject> = {}): FilterSubject => {
  const [method = "", path = ""] = operation.split(" ");
  return { methods: [method], paths: [path], ...more };
};

describe("a filter", () => {
  test.each([
    ["DELETE", "DELETE /orders/{id}", true],
    ["DELETE", "GET /orders/{id}", false],
    ["/orders", "GET /orders", true],
    ["/orders", "GET /orders/", true],
    ["/orders/", "GET /orders", true],
    ["/Orders", "GET /orders", true],
    ["/orders", "GET /orders/{id}", false],
    ["/orders/*", "GET /orders/{id}", true],
    ["/orders/*", "GET /orders/search", true],
    ["/orders/*", "GET /orders", false],
    ["/orders/*", "GET /orders/{id}/items", false],
    ["/orders/{id}", "GET /orders/{orderId}", true],
    ["/orders/{id}", "GET /orders/search", false],
    ["/orders/7", "GET /orders/{id}", false],
    ["/orders/**", "GET /orders", true],
    ["/orders/**", "GET /orders/{id}/items/{item}", true],
    ["/orders/**", "GET /ordersets", false],
    ["/**/items", "GET /orders/{id}/items", true],
    ["/**/items", "GET /items", true],
    ["/**/items/**", "GET /a/b/items/c", true],
    ["/**", "GET /", true],
    ["/", "GET /", true],
    ["/", "GET /orders", false],
    ["/*", "GET /", false],
    ["/v*/orders", "GET /v2/orders", true],
    ["/*-export", "GET /orders-export", true],
    ["/a*b*c", "GET /a-b-c", true],
    ["/a*b*c", "GET /a-c", false],
    ["/ab*ba", "GET /aba", false],
    ["POST /orders/*", "POST /orders/{id}", true],
    ["POST /orders/*", "PUT /orders/{id}", false],
    ["/a.c", "GET /abc", false],
  ])("%s matches %s: %s", (filter, operation, expected) => {
    expect(operationFilterSchema.safeParse(filter).success).toBe(true);
    expect(matches(filter, subject(operation))).toBe(expected);
  });

  test.each([
    ["tag:billing", true],
    ["tag:bill", false],
    ["tag:Team A", true],
    ["id:listOrders", true],
    ["id:list", false],
  ])("%s of an operation with tags and an operationId: %s", (filter, expected) => {
    const operation = subject("GET /orders", { tags: ["billing", "Team A"], operationId: "listOrders" });
    expect(matches(filter, operation)).toBe(expected);
    expect(matches(filter, subject("GET /orders"))).toBe(false);
  });

  test("a filter of a path matches with and without the base of the API", () => {
    const operation = subject("GET ", { paths: ["/api/orders", "/orders"] });
    expect(["/orders", "/api/orders", "/api/**"].map((filter) => matches(filter, operation))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("a filter of a path parameter matches any segment of a request to an unknown operation", () => {
    const request = subject("GET /orders/7", { isUnknown: true });
    expect(matches("/orders/{id}", request)).toBe(true);
    expect(matches("/orders/{id}/items", request)).toBe(false);
  });

  test("a filter of GET matches a HEAD, and one of HEAD no GET", () => {
    expect(matches("GET /orders", { methods: ["HEAD", "GET"], paths: ["/orders"] })).toBe(true);
    expect(matches("HEAD", subject("GET /orders"))).toBe(false);
  });
});

describe("an operation is selected", () => {
  test.each([
    [{}, true],
    [{ include: [], exclude: [] }, true],
    [{ include: ["/orders/**"] }, true],
    [{ include: ["/billing/**"] }, false],
    [{ include: ["/billing/**", "GET"] }, true],
    [{ exclude: ["DELETE"] }, true],
    [{ exclude: ["DELETE", "/orders/*"] }, false],
    [{ include: ["/orders/**"], exclude: ["/orders/*"] }, false],
  ])("an operation is selected by %j: %s", (filters, expected) => {
    expect(isSelected(subject("GET /orders/{id}"), filters)).toBe(expected);
  });
});

test.each([
  [undefined, ""],
  [{}, ""],
  [{ include: ["/orders/**", "tag:a"] }, "Only operations that match /orders/**, tag:a were called."],
  [{ exclude: ["DELETE"] }, "Only some operations were called, and none that match DELETE."],
  [
    { include: ["GET"], exclude: ["/a"], leftOut: 2 },
    "Only operations that match GET were called, and none that match /a.",
  ],
])("the scope %j is: %s", (scope, text) => {
  expect(scopeText(scope)).toBe(text);
});

const segment = fc.stringMatching(/^[a-z0-9.-]{1,6}$/);
const path = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`);
const method = fc.constantFrom("GET", "POST", "PUT", "DELETE");
const operation = fc.record({
  methods: fc.tuple(method),
  paths: fc.tuple(path),
  tags: fc.array(segment, { maxLength: 2 }),
  operationId: fc.option(segment, { nil: undefined }),
});
const filter = fc.oneof(
  method,
  path,
  path.map((text) => text.replace(/[a-z]/g, "*")),
  fc.tuple(method, path).map(([verb, text]) => `${verb} ${text}/**`),
  segment.map((name) => `tag:${name}`),
);
const filters = fc.array(filter, { maxLength: 4 });

describe("for any operation and filters", () => {
  test("exclude wins over include, and more of it never selects more", () => {
    fc.assert(
      fc.property(operation, filters, filters, filter, (each, include, exclude, more) => {
        const before = isSelected(each, { include, exclude });
        const after = isSelected(each, { include, exclude: [...exclude, more] });
        expect(after).toBe(before && !matches(more, each));
        if (exclude.some((one) => matches(one, each))) expect(before).toBe(false);
      }),
    );
  });

  test("more of include never selects less, once there is any", () => {
    fc.assert(
      fc.property(operation, filter, filters, (each, first, others) => {
        if (isSelected(each, { include: [first] }))
          expect(isSelected(each, { include: [first, ...others] })).toBe(true);
      }),
    );
  });

  test("its own method and path, any tag of it and everything match", () => {
    fc.assert(
      fc.property(operation, (each) => {
        const [own, at] = [each.methods[0], each.paths[0]];
        const all = [
          own,
          at,
          `${own} ${at}`,
          "/**",
          `${at.replace(/\/$/, "")}/**`,
          ...each.tags.map((tag) => `tag:${tag}`),
        ];
        for (const one of all) expect(matches(one, each)).toBe(true);
      }),
    );
  });

  test("a pattern of `*` and `**` matches what the regular expression of the same meaning matches", () => {
    const part = fc.constantFrom("**", "*", "a", "a*", "*b", "a*b");
    const word = fc.stringMatching(/^[ab]{1,3}$/);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        (parts, words) => {
          const source = parts
            .map((each) =>
              each === "**" ? "(?:/[^/]+)*" : `/${each === "*" ? "[^/]+" : each.replaceAll("*", "[^/]*")}`,
            )
            .join("");
          const text = `/${words.join("/")}`;
          expect(matches(`/${parts.join("/")}`, subject(`GET ${text}`))).toBe(
            new RegExp(`^${source}$`).test(text),
          );
        },
      ),
    );
  });
});
