import { isScanId } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { API_NAME, identitiesSecretName, LABELS, scanOfIdentitiesSecret } from "./names.ts";
import { scanIdOf } from "./scan-resource.ts";

const applied = {
  name: "shop",
  uid: "7d0e4b52-0000-4000-8000-000000000001",
  creationTimestamp: "2026-11-21T12:00:00Z",
};

const name = "scan-01kahr5zn8v3mwf2c7d9e4x6bq";
const labels = { [LABELS.managedBy]: API_NAME };

test("a Scan that the API made is known by its name", () => {
  expect(scanIdOf({ metadata: { ...applied, name, labels } })).toBe(name);
});

test("a Scan applied by hand under the id of another scan has its own id", () => {
  const named = { ...applied, name };
  expect(scanIdOf({ metadata: named })).toBe(scanIdOf({ metadata: applied }));
  expect(scanIdOf({ metadata: { ...named, labels: { [LABELS.managedBy]: "kubectl" } } })).not.toBe(name);
});

test("a copy of a Scan of the API's under another name has its own id", () => {
  expect(scanIdOf({ metadata: { ...applied, labels } })).toBe(scanIdOf({ metadata: applied }));
});

test("a Scan applied by hand has a scan id, the same each time it is seen", () => {
  const id = scanIdOf({ metadata: applied });
  expect(isScanId(id)).toBe(true);
  expect(scanIdOf({ metadata: { ...applied } })).toBe(id);
});

test("a Scan of the same name that is created again has another id", () => {
  const again = { ...applied, uid: "7d0e4b52-0000-4000-8000-000000000002" };
  expect(scanIdOf({ metadata: again })).not.toBe(scanIdOf({ metadata: applied }));
});

describe("the Secret of a scan's identities", () => {
  test("the Secret of a scan's identities is named after the scan, and its name tells the scan", () => {
    expect(identitiesSecretName(name)).toBe(`${name}-identities`);
    expect(scanOfIdentitiesSecret(identitiesSecretName(name))).toBe(name);
  });

  test.each([
    "shop-identities",
    "identities",
    "-identities",
    name,
    `${name}-identities-2`,
    `x-${name}-identities`,
  ])("the Secret of a scan's identities has another name than %s, which anybody may use", (other) =>
    expect(scanOfIdentitiesSecret(other)).toBeUndefined(),
  );
});
