import { compileRegExp } from "./regexp-matcher.ts";

/**
 * The steps that all regular expressions take which the function matches, in a backtracking engine without optimizations: a measure of
 * work that is the same on every machine.
 * @throws Error where a match differs from the real engine
 */
export function regexpSteps(work: () => unknown): number {
  const native = expressions.exec;
  let steps = 0;
  function counted(this: RegExp, text: string): RegExpExecArray | null {
    const found = withExec(native, () => stepsOf(this, text));
    steps += found.steps;
    const result = native.call(this, text);
    if (result?.[0] !== found.match || (result && result.index !== found.index))
      throw new Error(`${String(this)} found ${result?.[0]}, and by its steps ${found.match}`);
    return result;
  }
  withExec(counted, work);
  return steps;
}

/** How many times the steps for a size are those for half of it: 2 where they grow linearly. */
export const growthOfSteps = (work: (size: number) => unknown, size: number): number =>
  regexpSteps(() => work(size)) / regexpSteps(() => work(size / 2));

/** What `test`, `match`, `matchAll`, `replace` and `split` call. */
const expressions: Pick<RegExp, "exec"> = RegExp.prototype;

function withExec<T>(exec: RegExp["exec"], run: () => T): T {
  const before = expressions.exec;
  expressions.exec = exec;
  try {
    return run();
  } finally {
    expressions.exec = before;
  }
}

function stepsOf(regexp: RegExp, text: string): { match?: string; index?: number; steps: number } {
  const { match, run } = compileRegExp(regexp, text);
  const first = regexp.sticky || regexp.global ? regexp.lastIndex : 0;
  const last = regexp.sticky ? first : text.length;
  for (let start = first; start <= last; start++) {
    run.steps++;
    let end = start;
    if (match(start, (to) => ((end = to), true)))
      return { match: text.slice(start, end), index: start, steps: run.steps };
  }
  return { steps: run.steps };
}
