import { LONGEST_SCAN_SECONDS } from "@glovebox/k8s";
import { expect, test } from "vitest";
import { SETTINGS } from "../settings-table.ts";
import { scanDeadlineSeconds } from "./settings.ts";
import { settings } from "./testing/worlds.ts";

test("a scan has ended within the longest time that anybody waits for one, whatever the operator sets", () => {
  const isolationWaitSeconds = SETTINGS.GLOVEBOX_ISOLATION_WAIT_SECONDS.schema.parse("600");
  expect(scanDeadlineSeconds({ ...settings, isolationWaitSeconds })).toBeLessThan(LONGEST_SCAN_SECONDS);
  expect(() => SETTINGS.GLOVEBOX_ISOLATION_WAIT_SECONDS.schema.parse("601")).toThrow();
});
