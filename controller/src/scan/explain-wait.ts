import type { Subject } from "../runtime/warnings.ts";
import type { Question } from "./action.ts";
import { attemptName } from "./names.ts";
import type { Explanation, World } from "./world.ts";

export interface ExplainDeps {
  /** What Kubernetes has to say of an object, if anything. It never rejects. */
  readonly latestWarning: (about: Subject) => Promise<string | undefined>;
  readonly now: () => Date;
}

/** What Kubernetes says of why an attempt's pod is not there, or does not start. */
export async function explainWait(
  { scanId, settings: { namespace } }: World,
  { attempt, pod }: Extract<Question, { do: "explainWait" }>,
  { latestWarning, now }: ExplainDeps,
): Promise<Explanation> {
  const job = { kind: "Job", namespace, name: attemptName(scanId, attempt) };
  const words = await latestWarning(pod === undefined ? job : { kind: "Pod", namespace, name: pod });
  return { attempt, words, at: now() };
}
