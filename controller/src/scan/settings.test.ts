import { LONGEST_SCAN_SECONDS } from "@glovebox/k8s";
import { expect, test } from "vitest";
import { SETTINGS } from "../settings-table.ts";
import { scanDeadlineSeconds } from "./settings.ts";
import { settings } from "./testing/worlds.ts";

test("a scan has ended within the longest time that anybody waits for one, whatever the operator sets", () => {
  const { GLOVEBOX_ISOLATION_WAIT_SECONDS: isolation, GLOVEBOX_POD_WAIT_SECONDS: pod } = SETTINGS;
  const longest = {
    isolationWaitSeconds: isolation.schema.parse("600"),
    podWaitSeconds: pod.schema.parse("3600"),
  };
  expect(scanDeadlineSeconds({ ...settings, ...longest })).toBeLessThan(LONGEST_SCAN_SECONDS);
  expect(() => isolation.schema.parse("601")).toThrow();
  expect(() => pod.schema.parse("3601")).toThrow();
});
