import type { ScheduleItem } from "@glovebox/contract/schedules";
import { expect, test } from "vitest";
import { changeOf, creationOf, newValues, valuesOf } from "./schedule-values.ts";

const filled = {
  ...newValues("Europe/Berlin"),
  name: "Nightly",
  url: "https://api.example/",
  schedule: " 30  2 * * * ",
};
const SETTINGS: Omit<ScheduleItem, keyof typeof UNSET | keyof typeof NONE | "id"> = {
  ...{ name: "Nightly", url: "https://api.example/", schedule: "30 2 * * *", timeZone: "Europe/Berlin" },
  ...{ concurrencyPolicy: "Forbid", jitterSeconds: 0, startingDeadlineSeconds: 3600, historyLimit: 10 },
};
const UNSET = { createdAt: "", nextRunAt: null, missedRuns: 0, lastRun: null, suspend: true, problem: null };
const NONE = { specUrl: null, context: null, include: null, exclude: null, identitySet: null };

test("empty fields are left out of a new schedule, and removed by a change", () => {
  expect(creationOf(filled)).toEqual(SETTINGS);
  expect(changeOf("1", filled)).toEqual({ id: "1", ...SETTINGS, ...NONE });
});

test("a schedule that is edited and not changed is sent as it was", () => {
  const target = {
    ...{ specUrl: "https://api.example/openapi.json", context: "internal" as const, identitySet: "staging" },
    ...{ include: ["/orders/**", "tag:billing"], exclude: ["DELETE"] },
  };
  const schedule: ScheduleItem = { id: "1", ...SETTINGS, ...target, ...UNSET };
  expect(changeOf("1", valuesOf(schedule))).toEqual({ id: "1", ...SETTINGS, ...target });
  expect(creationOf(valuesOf(schedule))).toEqual({ ...SETTINGS, ...target });
});
