import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, test } from "vitest";
import { StoreUnavailable, translateError } from "./unavailable.ts";

const coded = (code: string) => Object.assign(new Error(code), { code });

describe("an error of the database", () => {
  test.each([
    "ECONNREFUSED",
    "CONNECTION_CLOSED",
    "CONNECT_TIMEOUT",
    "57P01",
    "57P03",
    "08006",
    "57014",
    "53300",
  ])("%s means unavailable, and is kept as the cause", (code) => {
    const error = coded(code);
    expect(translateError(error)).toMatchObject({ name: "StoreUnavailable", cause: error });
  });

  test.each([
    ["3F000", "SchemaMissing"],
    ["42P01", "SchemaMissing"],
    ["42703", "SchemaMissing"],
    ["42883", "SchemaMissing"],
    ["3D000", "StoreUnusable"],
    ["28P01", "StoreUnusable"],
    ["28000", "StoreUnusable"],
    ["55000", "StoreUnusable"],
  ])("%s means unavailable until somebody sees to it: %s", (code, name) => {
    const error = coded(code);
    expect(translateError(error)).toBeInstanceOf(StoreUnavailable);
    expect(translateError(error)).toMatchObject({ name, cause: error });
  });

  test.each(["53000", "53100", "53200", "53400"])(
    "%s means unavailable, until there is room again",
    (code) => {
      const error = coded(code);
      expect(translateError(error)).toBeInstanceOf(StoreUnavailable);
      expect(translateError(error)).toMatchObject({ name: "StoreExhausted", cause: error });
    },
  );

  test.each(["22021", "22P05", "22007", "22008", "22009", "22003"])("%s is a value of a client's", (code) => {
    const error = coded(code);
    expect(translateError(error)).toMatchObject({ name: "UnstorableValue", cause: error });
    expect(translateError(error)).not.toBeInstanceOf(StoreUnavailable);
  });

  test.each(["23505", "22P02"])("%s is a fault of ours, and stays as it is", (code) => {
    const error = coded(code);
    expect(translateError(error)).toBe(error);
  });

  test("a refusal behind drizzle's error or under several addresses is found", () => {
    expect(translateError(new DrizzleQueryError("select", [], coded("ECONNREFUSED")))).toBeInstanceOf(
      StoreUnavailable,
    );
    expect(translateError(new AggregateError([coded("ECONNREFUSED")]))).toBeInstanceOf(StoreUnavailable);
  });

  test("the values of a statement are in no error that comes out", () => {
    const translated = translateError(new DrizzleQueryError("select $1", ["secret"], coded("42P01")));
    expect(String(translated)).not.toContain("secret");
  });
});
