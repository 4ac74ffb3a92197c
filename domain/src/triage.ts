import * as z from "zod";
import { inputLines, inputMoment } from "@glovebox/contract";
import { MARK_STATUSES, type FindingStatus, type MarkStatus } from "./finding-statuses.ts";

export const MAX_REASON_LENGTH = 2_000;

/** What somebody decided about a finding. */
export const markSchema = z
  .object({
    status: z.enum(MARK_STATUSES),
    reason: z.string().trim().min(1, "must say why").max(MAX_REASON_LENGTH),
    expiresAt: z.iso
      .datetime()
      .optional()
      .meta({ description: "From then on the finding counts again; an acceptance always has one" }),
    by: z.string().optional().meta({ description: "Who decided it" }),
  })
  .meta({ id: "Mark" });
export type Mark = z.infer<typeof markSchema>;

/** Marks by the ids of findings. */
export type Marks = ReadonlyMap<string, Mark>;

/** True until the mark expires, if it does. */
export const isInForce = ({ expiresAt }: Pick<Mark, "expiresAt">, at: Date): boolean =>
  expiresAt === undefined || at < new Date(expiresAt);

/** The marks that hold at that moment: those that have not expired. */
export const marksInForce = (marks: Marks, at: Date): Marks =>
  new Map([...marks].filter(([, mark]) => isInForce(mark, at)));

/** The mark of a finding that holds at that moment, if any. */
export function markInForce(marks: Marks, id: string, at: Date): Mark | undefined {
  const mark = marks.get(id);
  return mark && isInForce(mark, at) ? mark : undefined;
}

/** What a scan's report says of a finding, what time does to it, and what people decide. */
export const FINDING_EVENTS = [
  "seen",
  "seenWorse",
  "passed",
  "expired",
  "accepted",
  "markedFalsePositive",
  "reinstated",
] as const;
export type FindingEvent = (typeof FINDING_EVENTS)[number];

/** The decisions of people. */
export const DECISIONS = ["accepted", "markedFalsePositive", "reinstated"] as const satisfies FindingEvent[];
export type Decision = (typeof DECISIONS)[number];

/**
 * The status after an event; null where the event cannot happen. PostgreSQL reads this same table: `migrate` copies it.
 * `seen` with a higher severity than before is `seenWorse`: a lower risk was accepted. `passed` means that every location was
 * tested again and nothing was found; what was not tested has no event. A false positive remains one regardless of scans.
 */
export const TRANSITIONS: Readonly<
  Record<FindingEvent, Readonly<Record<FindingStatus, FindingStatus | null>>>
> = {
  seen: {
    open: "open",
    fixed: "reopened",
    reopened: "reopened",
    accepted: "accepted",
    falsePositive: "falsePositive",
  },
  seenWorse: {
    open: "open",
    fixed: "reopened",
    reopened: "reopened",
    accepted: "reopened",
    falsePositive: "falsePositive",
  },
  passed: {
    open: "fixed",
    fixed: "fixed",
    reopened: "fixed",
    accepted: "fixed",
    falsePositive: "falsePositive",
  },
  expired: { open: null, fixed: null, reopened: null, accepted: "open", falsePositive: null },
  accepted: {
    open: "accepted",
    fixed: null,
    reopened: "accepted",
    accepted: "accepted",
    falsePositive: "accepted",
  },
  markedFalsePositive: {
    open: "falsePositive",
    fixed: "falsePositive",
    reopened: "falsePositive",
    accepted: "falsePositive",
    falsePositive: "falsePositive",
  },
  reinstated: { open: null, fixed: null, reopened: null, accepted: "open", falsePositive: "open" },
};

/** A status, with its mark if and only if it is the status of one. */
export interface TriageState {
  readonly status: FindingStatus;
  readonly mark?: Mark;
}

/** What happens to a finding. A decision to accept or to mark comes with the mark. */
export type Happening =
  | { readonly event: "accepted" | "markedFalsePositive"; readonly mark: Omit<Mark, "status"> }
  | { readonly event: Exclude<FindingEvent, "accepted" | "markedFalsePositive"> };

export const isMarkStatus = (status: FindingStatus): status is MarkStatus =>
  (MARK_STATUSES as readonly FindingStatus[]).includes(status);

export const isDecision = (event: FindingEvent): event is Decision =>
  (DECISIONS as readonly FindingEvent[]).includes(event);

/** What a finding becomes, and whether its history tells of it; undefined where the event cannot happen. Pure. */
export function transition(
  state: TriageState,
  happening: Happening,
): { readonly state: TriageState; readonly isRecorded: boolean } | undefined {
  const { event } = happening;
  const status = TRANSITIONS[event][state.status];
  if (status === null) return undefined;
  const isRecorded = status !== state.status || isDecision(event);
  if (!isMarkStatus(status)) return { state: { status }, isRecorded };
  const mark = "mark" in happening ? { ...happening.mark, status } : state.mark!;
  return { state: { status, mark }, isRecorded };
}

/** Days that an acceptance lasts at most, by the role of who accepts. Who has another role accepts nothing. */
export const MAX_ACCEPTANCE_DAYS = { owner: 365, member: 90 } as const satisfies Record<string, number>;

const reason = inputLines.trim().min(1, "must say why").max(MAX_REASON_LENGTH);

/** A decision about findings as a client sends it: a reason always, a date for an acceptance. */
export const decisionRequestSchema = z
  .discriminatedUnion("event", [
    z.object({ event: z.literal("accepted"), reason, expiresAt: inputMoment() }),
    z.object({ event: z.literal("markedFalsePositive"), reason }),
    z.object({ event: z.literal("reinstated"), reason }),
  ])
  .meta({ id: "Decision" });
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/** What is wrong with the date of an acceptance, as the end of a sentence; undefined where nothing is. Pure. */
export function expiryProblem(
  decision: DecisionRequest,
  { at, maxDays }: { readonly at: Date; readonly maxDays: number },
): string | undefined {
  if (decision.event !== "accepted") return undefined;
  const expiresAt = new Date(decision.expiresAt);
  if (expiresAt <= at) return "must be in the future";
  const latest = new Date(at.getTime() + maxDays * 86_400_000);
  return expiresAt > latest ? `must be within ${maxDays} days` : undefined;
}
