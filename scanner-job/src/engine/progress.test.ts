import { expect, it } from "vitest";
import { aCheck, anOperation } from "../testing/samples.ts";
import { progressReporter } from "./progress.ts";

it("progress is reported at most eleven times for each category, with any number of tasks", () => {
  const seen: number[] = [];
  const progress = progressReporter((_, done) => seen.push(done));
  const [check, subject] = [aCheck(), anOperation()];
  progress.planned(Array.from({ length: 1_000 }, () => ({ check, subject })));
  for (let done = 0; done < 1_000; done += 1) progress.done(check.category);
  expect(seen).toHaveLength(11);
  expect([seen[0], seen.at(-1)]).toEqual([0, 1_000]);
});
