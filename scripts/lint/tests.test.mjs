import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import plugin from "./tests.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

const measured = (code) => ({ code, errors: [{ messageId: "measured" }] });

new RuleTester().run("no-measured-time", plugin.rules["no-measured-time"], {
  valid: [
    "expect(count).toBeLessThan(5)",
    "expect(Date.parse(time)).toBeLessThan(Date.now() + 1_000)",
    "const now = () => performance.now(); expect(scan({ now }).requests).toBeLessThan(5)",
    "const scan = await run({ now: () => performance.now() }); expect(scan.requests).toBeLessThan(5)",
    "const [a] = [1]; expect(a - start).toBeLessThan(5)",
  ],
  invalid: [
    measured("expect(performance.now() - started).toBeLessThan(1_000)"),
    measured("const started = Date.now(); expect(Date.now() - started).toBeLessThanOrEqual(1_000)"),
    measured(
      "const took = performance.now() - started; test('x', () => { expect(took / 2).not.toBeGreaterThan(1) })",
    ),
    measured("const end = performance.now() + 9; expect(now()).toBeLessThan(end)"),
    measured("expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000)"),
    measured("const { user } = process.cpuUsage(); expect(user).toBeLessThan(1)"),
  ],
});
