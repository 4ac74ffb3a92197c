import { describe, expect, test } from "vitest";
import { EMPTY_SCAN, chosenSource, identitiesOf, requestOf, type IdentitySet } from "./new-scan-values.ts";

const url = "https://api.example/v1";
const setOf = (id: string, origin: string): IdentitySet => ({
  ...{ id, name: id, origin, summary: [], savedAt: "2026-11-24T12:00:00.000Z" },
});
const SETS = [setOf("mine", "https://api.example"), setOf("other", "https://other.example")];

test("empty fields are left out of a request", () => {
  expect(requestOf({ ...EMPTY_SCAN, url, include: " \n", exclude: "" }, undefined)).toEqual({ url });
});

test("each line is a filter", () => {
  const values = { ...EMPTY_SCAN, url, include: "/orders/**\n\n tag:billing \n", exclude: "DELETE" };
  expect(requestOf(values, undefined)).toEqual({
    ...{ url, include: ["/orders/**", "tag:billing"], exclude: ["DELETE"] },
  });
});

describe("the identities", () => {
  const values = { ...EMPTY_SCAN, url, identities: "- name: alice" };

  test.each([
    ["", undefined],
    ["pasted", { identities: "- name: alice" }],
    ["set:mine", { identitySet: "mine" }],
  ] as const)("the identities from %j are sent as %j", (source, sent) => {
    expect(identitiesOf(values, source)).toEqual(sent);
  });

  test.each([
    ["", url, ""],
    ["pasted", "", "pasted"],
    ["set:mine", url, "set:mine"],
    ["set:mine", "https://api.example:8443/v1", ""],
    ["set:mine", "https://", ""],
    ["set:other", url, ""],
    ["set:deleted", url, ""],
  ] as const)("chosen as %j count for %j as %j", (identitySource, target, chosen) => {
    expect(chosenSource({ ...values, url: target, identitySource }, SETS)).toBe(chosen);
  });
});
