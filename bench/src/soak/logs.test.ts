import { expect, test } from "vitest";
import { loggedErrors } from "./logs.ts";

const line = (level: number, msg: string): string => JSON.stringify({ level, time: 1795542270292, msg });

test("a log with requests and warnings has no error", () => {
  const log = [line(40, "could not renew claims"), line(50, "request"), "glovebox: stopping…", ""].join("\n");
  expect(loggedErrors("service 0", log)).toEqual([]);
});

test.each([
  ["an unexpected failure", line(50, "unexpected failure")],
  ["a fatal error", line(60, "exiting")],
  ["a warning of Node", "(node:1) MaxListenersExceededWarning: Possible EventEmitter memory leak detected."],
])("%s is an error", (_name, text) => {
  expect(loggedErrors("service 0", `${line(30, "ready")}\n${text}\n`)).toEqual([`service 0: ${text}`]);
});
