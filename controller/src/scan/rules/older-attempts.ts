import { currentAttempt, type AttemptView, type World } from "../world.ts";
import { isOnLostNode } from "./job-running.ts";
import { isTidying, LINGERS_SECONDS, requeueIn, type Rule } from "./rule.ts";

/** What is left of an earlier attempt goes before the next one starts: at most one live Job a scan. */
export const olderAttempts: Rule = (world) => {
  const current = currentAttempt(world);
  const older = world.attempts.filter((attempt) => attempt.number < current && isInTheWay(attempt, world));
  if (older.length === 0) return undefined;
  const rule = "olderAttempts";
  if (isTidying(world)) return { rule, actions: [], ...requeueIn(LINGERS_SECONDS) };
  return {
    rule,
    actions: older.map(({ number }) => ({ do: "deleteAttempt", attempt: number })),
    ...requeueIn(world.settings.graceSeconds),
  };
};

/** A deleted pod on a node that is silent stays until the node is back or removed, which may be never. */
const isInTheWay = ({ job, policy, pods }: AttemptView, world: World): boolean =>
  job !== undefined || policy !== undefined || pods.some((pod) => !isOnLostNode(pod, world));
