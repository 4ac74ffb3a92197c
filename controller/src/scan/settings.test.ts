import { MAX_SCAN_SECONDS } from "@glovebox/k8s";
import { expect, test } from "vitest";
import { CONTROLLER_SETTINGS } from "../settings.ts";
import { scanDeadlineSeconds } from "./settings.ts";
import { settings } from "./testing/worlds.ts";

test("a scan has ended within the longest time that anybody waits for one, regardless of the operator's settings", () => {
  const { isolationWaitSeconds: isolation, podWaitSeconds: pod } = CONTROLLER_SETTINGS;
  const longest = {
    isolationWaitSeconds: isolation.parse("600"),
    podWaitSeconds: pod.parse("3600"),
  };
  expect(scanDeadlineSeconds({ ...settings, ...longest })).toBeLessThan(MAX_SCAN_SECONDS);
  expect(() => isolation.parse("601")).toThrow();
  expect(() => pod.parse("3601")).toThrow();
});
