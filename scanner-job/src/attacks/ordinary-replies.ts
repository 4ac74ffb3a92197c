import type { Reply } from "../transport/exchange.ts";
import { readOf } from "../engine/calibrate.ts";
import type { Subject } from "../engine/check.ts";
import { isSuccess } from "../oracles/judge.ts";
import type { Probe } from "../engine/probe.ts";
import { reads, spread } from "./subjects.ts";
import type { TargetProfile } from "../engine/target-profile.ts";

/** The target's entry and reads of as many areas as possible: whose answers are looked at as they are. */
export const ordinarySubjects = (profile: TargetProfile, most: number = 20): readonly Subject[] => [
  profile.host,
  ...spread(reads(profile), most),
];

/** The ordinary answer of a subject: that of its operation with real ids, or of the target's entry. */
export async function ordinaryReply({ operation }: Subject, probe: Probe): Promise<Reply> {
  return probe.baseline(operation ? await probe.withRealIds(operation) : readOf(probe.profile.target.href));
}

/** Ordinary answers one after the other, for checks that look for one that shows something of the whole host. */
export async function* ordinaryReplies(probe: Probe, most: number = 12): AsyncGenerator<Reply> {
  for (const subject of ordinarySubjects(probe.profile, most)) yield ordinaryReply(subject, probe);
}

/** A read that answers with success: it can stand for the host. The entry is preferred; undefined when none does. */
export async function workingReply(probe: Probe, most: number = 8): Promise<Reply | undefined> {
  for await (const reply of ordinaryReplies(probe, most)) if (isSuccess(reply)) return reply;
  return undefined;
}
