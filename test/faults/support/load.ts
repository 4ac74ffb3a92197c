import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SCAN } from "../../cluster/support/api.ts";
import type { Random } from "./random.ts";

export interface LoadOptions {
  /** Base URL of the API. */
  readonly url: string;
  readonly key: string;
  readonly applyScan: (name: string) => Promise<void>;
  readonly random: Random;
}

/** Submitted scans, and the responses of the API. */
export interface Load {
  /** Submits one more scan, by POST or with kubectl. POSTs without a response are repeated with the same Idempotency-Key. */
  add(): void;
  /** POSTs, each with its own Idempotency-Key. */
  readonly posts: number;
  /** Scan ids in the responses of the API. */
  readonly acceptedIds: readonly string[];
  /** Names of the Scans that were applied. */
  readonly applied: readonly string[];
  /** Number of scans, by POST and with kubectl. */
  readonly submitted: number;
  /** Error responses other than 503. */
  readonly unexpectedResponses: readonly string[];
  /** Resolves when all POSTs have a response and all Scans were applied. */
  settled(): Promise<void>;
}

/** Every fourth scan is applied with kubectl. */
const APPLY_EVERY = 4;
const RETRY_MS = 300;

export function createLoad({ url, key, applyScan, random }: LoadOptions): Load {
  const pending: Promise<void>[] = [];
  const acceptedIds: string[] = [];
  const applied: string[] = [];
  const unexpectedResponses: string[] = [];
  let posts = 0;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };

  const post = async (prefer: string): Promise<void> => {
    const own = { ...headers, Prefer: prefer, "Idempotency-Key": randomUUID() };
    for (;;) {
      const response = await fetch(`${url}/v1/scan`, {
        method: "POST",
        headers: own,
        body: JSON.stringify(SCAN),
      }).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as object | undefined;
      const id = response && body && idOf(response, body);
      if (id) return void acceptedIds.push(id);
      if (response && body && response.status !== 503)
        unexpectedResponses.push(`${response.status} ${JSON.stringify(body)}`);
      await delay(RETRY_MS);
    }
  };
  const apply = async (name: string): Promise<void> => {
    while (
      !(await applyScan(name).then(
        () => true,
        () => false,
      ))
    )
      await delay(RETRY_MS);
  };
  return {
    acceptedIds,
    applied,
    unexpectedResponses,
    get posts() {
      return posts;
    },
    get submitted() {
      return posts + applied.length;
    },
    add() {
      if ((posts + applied.length) % APPLY_EVERY === APPLY_EVERY - 1) {
        const name = `applied-${applied.length + 1}`;
        applied.push(name);
        pending.push(apply(name));
        return;
      }
      posts += 1;
      pending.push(post(random.pick(["respond-async", "wait=20"])));
    },
    settled: async () => void (await Promise.all(pending)),
  };
}

/** The scan id of a response: of its body, or of its Location if the scan has failed. */
function idOf({ ok, headers }: Response, body: object): string | undefined {
  if (ok) return (body as { id: string }).id;
  return headers.get("location")?.replace("/v1/scan/", "");
}
