import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SCAN } from "../../cluster/support/api.ts";
import type { Random } from "./random.ts";

export interface LoadOptions {
  /** Of the API. */
  readonly url: string;
  readonly key: string;
  readonly applyScan: (name: string) => Promise<void>;
  readonly random: Random;
}

/** Scans that were asked for, and how that was answered. */
export interface Load {
  /** Asks for one more, through the API or as kubectl does. What goes unanswered is asked again, with the same key. */
  add(): void;
  /** Requests, each under a key of its own. */
  readonly posts: number;
  /** Ids that the API has answered with. */
  readonly answered: readonly string[];
  /** Names of the Scans that were applied. */
  readonly applied: readonly string[];
  readonly asked: number;
  /** Answers that an outage does not explain. */
  readonly oddAnswers: readonly string[];
  /** Resolves when each request has had its answer. */
  settled(): Promise<void>;
}

/** One scan of so many is applied. */
const ONE_APPLIED_OF = 4;
const AGAIN_MS = 300;

export function createLoad({ url, key, applyScan, random }: LoadOptions): Load {
  const underWay: Promise<void>[] = [];
  const answered: string[] = [];
  const applied: string[] = [];
  const oddAnswers: string[] = [];
  let posts = 0;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };

  const post = async (prefer: string): Promise<void> => {
    const own = { ...headers, Prefer: prefer, "Idempotency-Key": randomUUID() };
    for (;;) {
      const answer = await fetch(`${url}/v1/scan`, {
        method: "POST",
        headers: own,
        body: JSON.stringify(SCAN),
      }).catch(() => undefined);
      const body = (await answer?.json().catch(() => undefined)) as object | undefined;
      const id = answer && body && idOf(answer, body);
      if (id) return void answered.push(id);
      if (answer && body && answer.status !== 503)
        oddAnswers.push(`${answer.status} ${JSON.stringify(body)}`);
      await delay(AGAIN_MS);
    }
  };
  const apply = async (name: string): Promise<void> => {
    while (
      !(await applyScan(name).then(
        () => true,
        () => false,
      ))
    )
      await delay(AGAIN_MS);
  };
  return {
    answered,
    applied,
    oddAnswers,
    get posts() {
      return posts;
    },
    get asked() {
      return posts + applied.length;
    },
    add() {
      if ((posts + applied.length) % ONE_APPLIED_OF === ONE_APPLIED_OF - 1) {
        const name = `applied-${applied.length + 1}`;
        applied.push(name);
        underWay.push(apply(name));
        return;
      }
      posts += 1;
      underWay.push(post(random.pick(["respond-async", "wait=20"])));
    },
    settled: async () => void (await Promise.all(underWay)),
  };
}

/** The scan that an answer names, whether it is under way, has completed or has failed. */
function idOf({ ok, headers }: Response, body: object): string | undefined {
  if (ok) return (body as { id: string }).id;
  return headers.get("location")?.replace("/v1/scan/", "");
}
