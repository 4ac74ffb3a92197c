import { VERSION, planIncludes } from "@glovebox/contract";
import type { PinDeps } from "@glovebox/egress";
import type { ClaimedDelivery, DeliveryAttempt, Store, StoreEvent } from "@glovebox/store";
import type { Logger } from "pino";
import { Counter, type Metric } from "prom-client";
import { Webhook } from "standardwebhooks";
import { PeriodicTask } from "../background/periodic-task.ts";
import { retrySeconds } from "./backoff.ts";
import type { ReportRunner } from "../reports/report-workers.ts";
import { payloadOf } from "./payload.ts";
import { send, type Message } from "./send.ts";

export interface DelivererDeps {
  readonly store: Pick<Store, "deliveries" | "events" | "findings" | "scans">;
  readonly reports: ReportRunner;
  readonly egress: PinDeps;
  readonly logger: Pick<Logger, "warn">;
  readonly now: () => Date;
  /** 0 to 1; decides how early an attempt is repeated. */
  readonly random?: () => number;
  /** Trusted beside the certificates of the system, as PEM. */
  readonly ca?: string | undefined;
  readonly timeoutMs?: number;
}

export interface Deliverer {
  /** For the registry of the API. */
  readonly metrics: readonly Metric[];
  /** Delivers when a delivery is announced, and looks for due ones every few seconds. */
  start(): Promise<void>;
  /** Starts the attempts that are due. Never rejects. */
  run(): Promise<void>;
  /** Resolves when no attempt is under way. */
  idle(): Promise<void>;
  /** Claims no more, and waits for the attempts under way. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** Longer than an attempt with its statements can take. */
const CLAIM_SECONDS = 60;
const POLL_MS = 5_000;
/** Attempts under way: in this process, and over all processes for one account and for one webhook. */
const LIMITS = { total: 64, perAccount: 8, perWebhook: 2 };

/** Sends events to webhooks: claims due deliveries, signs and posts them, and records each attempt (docs/adr/0022). */
export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { store, logger } = deps;
  const underWay = new Set<Promise<void>>();
  const attempts = attemptCounter();
  const onFailure = (error: unknown): void =>
    logger.warn({ error: (error as Error).name }, "webhook deliveries could not be read or recorded");
  let isStopped = false;

  const begin = (delivery: ClaimedDelivery): void => {
    const attempt = deliver(delivery, deps)
      .then((result) => result && attempts.inc({ result }), onFailure)
      .finally(() => underWay.delete(attempt))
      .then(() => void wake()); // what waited behind a limit
    underWay.add(attempt);
  };
  let isWanted = false;
  const claim = async (): Promise<void> => {
    do {
      isWanted = false;
      const limit = LIMITS.total - underWay.size;
      if (isStopped || limit === 0) return;
      for (const delivery of await store.deliveries.claim(CLAIM_SECONDS, { ...LIMITS, limit }))
        begin(delivery);
    } while (isWanted);
  };
  const task = new PeriodicTask({ task: claim, onFailure, firstMs: POLL_MS, everyMs: POLL_MS, jitter: 0.2 });
  const wake = (): Promise<void> => {
    isWanted = true; // also when a claim is under way that has already looked
    return task.run();
  };
  let stopListening: (() => Promise<void>) | undefined;

  return {
    metrics: [attempts],
    async start() {
      stopListening = await store.events.listen((event) => void (isDue(event) && wake()));
      task.start();
    },
    run: wake,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop() {
      isStopped = true;
      await stopListening?.();
      await task.stop();
      await Promise.all(underWay);
    },
  };
}

const isDue = ({ type }: StoreEvent): boolean => type === "deliveryDue" || type === "reconnected";

function attemptCounter(): Counter<"result"> {
  const attempts = new Counter({
    name: "glovebox_webhook_attempts_total",
    help: "Attempts of this process to deliver an event to a webhook",
    labelNames: ["result"],
    registers: [],
  });
  for (const result of ["delivered", "failed"]) attempts.inc({ result }, 0);
  return attempts;
}

/** Attempts a delivery and records it. Undefined: there was nothing to deliver. */
async function deliver(
  delivery: ClaimedDelivery,
  deps: DelivererDeps,
): Promise<"delivered" | "failed" | undefined> {
  const { store } = deps;
  const payload = delivery.payload ?? (await composed(delivery, deps));
  if (payload === undefined) return void (await store.deliveries.discard(delivery));
  const attempt = await attemptOf(delivery, payload, deps);
  await store.deliveries.record(delivery, attempt);
  return attempt.error === null ? "delivered" : "failed";
}

async function composed(
  delivery: ClaimedDelivery,
  { store, reports, now }: DelivererDeps,
): Promise<string | undefined> {
  const payload = await payloadOf(delivery, { ...store, reports }, now());
  return payload && JSON.stringify(payload);
}

const GONE = 410;

async function attemptOf(
  delivery: ClaimedDelivery,
  payload: string,
  { egress, now, random = Math.random, ca, timeoutMs = TIMEOUT_MS }: DelivererDeps,
): Promise<DeliveryAttempt> {
  if (!planIncludes(delivery.plan, "webhooks"))
    return { payload, status: null, error: "The plan does not include webhooks.", retrySeconds: null };
  const sent = await send(signed(delivery, payload, now()), { ...egress, timeoutMs, ca });
  return {
    payload,
    ...sent,
    retrySeconds: retrySeconds(delivery.attempts, random()),
    ...(sent.status === GONE && {
      retrySeconds: null,
      disable: "The receiver responded with 410 Gone.",
    }),
  };
}

/** The request with its signature (Standard Webhooks), one for each secret that is valid. */
function signed({ url, eventId, secret, previousSecret }: ClaimedDelivery, body: string, at: Date): Message {
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `Glovebox-Webhooks/${VERSION}`,
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((key) => new Webhook(key).sign(eventId, at, body)).join(" "),
  };
  return { url, headers, body };
}
