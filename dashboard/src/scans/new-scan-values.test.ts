import { describe, expect, test } from "vitest";
import {
  EMPTY_SCAN,
  chosenSource,
  identitiesOf,
  isConfirmed,
  requestOf,
  type IdentitySet,
} from "./new-scan-values.ts";

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

test("a scan that writes is confirmed by the host of its URL alone, and another URL takes that back", () => {
  const values = { ...EMPTY_SCAN, url: "https://api.example:8443/v1", isActive: true };
  expect(isConfirmed({ ...EMPTY_SCAN, url: values.url })).toBe(true);
  for (const confirmedHost of ["", "api.example", "https://api.example:8443"])
    expect(isConfirmed({ ...values, confirmedHost })).toBe(false);
  const confirmed = { ...values, confirmedHost: " API.example:8443 " };
  expect(isConfirmed(confirmed)).toBe(true);
  expect(isConfirmed({ ...confirmed, url: "https://other.example/" })).toBe(false);
  expect(isConfirmed({ ...confirmed, url: "" })).toBe(false);
  expect(requestOf(confirmed, undefined)).toEqual({ url: values.url, mode: "active" });
});
