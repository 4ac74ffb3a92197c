import { expect, test, vi } from "vitest";
import { waitExplainer } from "./wait-explainer.ts";

const about = { kind: "Job", namespace: "scans", name: "a" };

test("what may not be read, or there is no turn to read, is not said, and fails nothing", async () => {
  const forbidden = new Error("403");
  const read = vi
    .fn<() => Promise<string>>()
    .mockResolvedValueOnce("no room")
    .mockRejectedValueOnce(forbidden);
  const onFailure = vi.fn<(error: unknown) => void>();
  let turns = 2;
  const explain = waitExplainer({ read, mayAsk: () => turns-- > 0, onFailure });
  expect(await explain(about)).toBe("no room");
  expect(await explain(about)).toBeUndefined();
  expect(onFailure.mock.calls).toEqual([[forbidden]]);
  expect(await explain(about)).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(2);
});
