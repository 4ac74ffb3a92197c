import { ANONYMOUS } from "@glovebox/contract";
import { discoveredOperation, Operation, type OperationFacts } from "../inventory/operation.ts";
import { ProbeResponse } from "../transport/exchange.ts";
import { NO_SESSIONS } from "../identities/disposable-sessions.ts";
import { calibrationOf } from "../oracles/not-found.ts";
import { defineCheck, pass, type ExaminingCheck, type TargetProfile } from "../engine/check.ts";

/** Builders for tests: each takes what matters to the test and fills in the rest. */

export const aResponse = (
  parts: Partial<ConstructorParameters<typeof ProbeResponse>[0]> = {},
): ProbeResponse =>
  new ProbeResponse({
    request: { method: "GET", url: "https://api.example/" },
    status: 200,
    headers: {},
    body: "",
    ...parts,
  });

export const anOperation = (facts: Partial<OperationFacts> = {}): Operation =>
  new Operation(
    "https://api.example",
    discoveredOperation({ method: "GET", path: "/things", source: "spec", ...facts }),
  );

export const aTargetProfile = (parts: Partial<TargetProfile> = {}): TargetProfile => ({
  target: new URL("https://api.example/"),
  entry: aResponse(),
  host: { location: { method: "GET", path: "/" } },
  operations: [],
  neverCalled: [],
  document: undefined,
  calibration: calibrationOf([aResponse({ status: 404 })], "nobodymadethis"),
  products: new Set(),
  context: undefined,
  callers: [],
  baselineCaller: ANONYMOUS,
  sessions: NO_SESSIONS,
  expectations: [],
  ...parts,
});

export const aCheck = (parts: Partial<ExaminingCheck> = {}): ExaminingCheck =>
  defineCheck({
    id: "authentication/sample",
    kind: "differential",
    category: "authentication",
    title: "Sample",
    severity: "high",
    confidence: "confirmed",
    description: "Something is wrong.",
    rule: "The attack succeeds and the control does not.",
    control: "The same without the attack.",
    remediation: "Fix it.",
    references: {},
    subjects: (profile) => [profile.host],
    notApplicable: "There is nothing of the kind.",
    examine: () => Promise.resolve(pass()),
    ...parts,
  } as ExaminingCheck);
