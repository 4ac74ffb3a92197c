import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScanOrder } from "@glovebox/contract";
import { outcomeOf } from "@glovebox/scan-run/testing";
import { expect, test } from "vitest";
import { runScannerProgram } from "./scanner-program.ts";

const SECRET = "s3cret-0f-Alice";
/** No server listens at this port. */
const ORDER: ScanOrder = {
  scanId: "scan-identities",
  url: "https://127.0.0.1:9/",
  pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [9] }],
  limits: { deadlineSeconds: 60, maxRequests: 200 },
};

/** Runs the scanner with a file of identities, as its Job does. */
async function scanWith(identities: string) {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-identities-"));
  try {
    const [file, log] = [join(folder, "identities.yaml"), join(folder, "termination-log")];
    writeFileSync(file, identities);
    const args = ["--identities", file, "--termination-log", log];
    const { stdout, stderr, code } = await runScannerProgram(ORDER, ...args);
    expect(stdout + stderr).not.toContain(SECRET);
    return { outcome: outcomeOf(stdout.split("\n")), code };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ["not YAML", `identities: [${SECRET}`, "identities.yaml is not valid YAML (line 1)."],
  [
    "not identities",
    `identities: [{name: alice, headers: {Host: ${SECRET}}}]`,
    "identities.yaml: identities.0.headers.Host: is set by the scanner itself.",
  ],
])(
  "a file that is %s fails the scan with field and reason, before its first request",
  async (_, yaml, why) => {
    const { outcome, code } = await scanWith(yaml);
    expect(outcome).toEqual({
      status: "failed",
      failure: { code: "could_not_start", message: `The scanner could not be started. ${why}` },
    });
    expect(code).toBe(0);
  },
);

test("a file of identities is added to the order, and the scan begins", async () => {
  const { outcome } = await scanWith(
    `identities: [{name: alice, headers: {Authorization: Bearer ${SECRET}}}]`,
  );
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "connection_refused" } });
});
