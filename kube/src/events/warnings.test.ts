import { expect, test, vi } from "vitest";
import { type Warning, warningReader } from "./warnings.ts";

const noRoom: Warning = { reason: "FailedScheduling", note: "no room" };
const about = { kind: "Job", namespace: "scans", name: "a" };

test("a warning that cannot be read, or is over the rate limit, is undefined, and nothing fails", async () => {
  const forbidden = new Error("403");
  const read = vi.fn<() => Promise<Warning>>().mockResolvedValueOnce(noRoom).mockRejectedValueOnce(forbidden);
  const onFailure = vi.fn<(error: unknown) => void>();
  let turns = 2;
  const explain = warningReader({ read, mayRead: () => turns-- > 0, onFailure });
  expect(await explain(about)).toBe(noRoom);
  expect(await explain(about)).toBeUndefined();
  expect(onFailure.mock.calls).toEqual([[forbidden]]);
  expect(await explain(about)).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(2);
});
