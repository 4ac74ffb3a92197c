import { discoveredOperation, Operation, type OperationFacts } from "../inventory/operation.ts";
import { Reply } from "../transport/exchange.ts";
import { calibrationOf } from "../oracles/not-found.ts";
import { defineCheck, pass, type Check, type TargetProfile } from "../engine/check.ts";

/** Builders for tests: each takes what matters to the test and fills in the rest. */

export const aReply = (parts: Partial<ConstructorParameters<typeof Reply>[0]> = {}): Reply =>
  new Reply({
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
  entry: aReply(),
  host: { location: { method: "GET", path: "/" } },
  operations: [],
  neverCalled: [],
  document: undefined,
  calibration: calibrationOf([aReply({ status: 404 })], "nobodymadethis"),
  context: undefined,
  ...parts,
});

export const aCheck = (parts: Partial<Check> = {}): Check =>
  defineCheck({
    id: "authentication/sample",
    category: "authentication",
    title: "Sample",
    severity: "high",
    confidence: "confirmed",
    description: "Something is wrong.",
    rule: "The attack succeeds and the control does not.",
    control: "The same without the attack.",
    remediation: "Mend it.",
    references: {},
    subjects: (profile) => [profile.host],
    notApplicable: "There is nothing of the kind.",
    examine: () => Promise.resolve(pass()),
    ...parts,
  });
