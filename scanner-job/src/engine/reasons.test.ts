import { expect, it } from "vitest";
import { NetworkError, networkError, type NetworkErrorKind } from "../transport/network-error.ts";
import { inconclusive, type Inconclusive } from "./check.ts";
import { REASONS, reasonOf, withoutResponse } from "./reasons.ts";

it.each<[NetworkErrorKind, Inconclusive["cause"]]>([
  ["budget", "requests"],
  ["deadline", "time"],
  ["operation_budget", "operation_limit"],
  ["write_refused", "write_refused"],
  ["reset", "no_response"],
  ["timeout", "no_response"],
  ["tls", "no_response"],
])("an examination that the network error %s ended is undecided because of %s", (kind, cause) => {
  expect(withoutResponse(networkError(kind))).toMatchObject({ outcome: "inconclusive", cause });
});

it("the reason of the report is the sentence of the cause, or else the sentence of the case", () => {
  expect(reasonOf({ outcome: "inconclusive", cause: "crashes" })).toBe(REASONS.crashes);
  expect(reasonOf(withoutResponse(new NetworkError("tls", "The handshake failed")) as Inconclusive)).toBe(
    "The handshake failed.",
  );
  expect(reasonOf(inconclusive("Unclear.") as Inconclusive)).toBe("Unclear.");
});
