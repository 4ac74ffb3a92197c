import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Scan } from "@glovebox/contract";
import type { TestResponse } from "../../../api/src/testing/requests.ts";
import { StreamReader } from "../../../api/src/testing/event-stream.ts";
import type { SoakAccount } from "./accounts.ts";
import type { Call, Caller } from "./caller.ts";
import type { Client } from "./facts.ts";
import type { Journal, OpenSubmission } from "./journal.ts";

export interface SubmitterDeps {
  readonly caller: Caller;
  readonly journal: Journal;
  /** What is scanned. */
  readonly targetUrl: string;
}

interface Submitting {
  readonly client: Client;
  readonly account: SoakAccount;
  readonly submission: OpenSubmission;
  readonly service?: number;
  /** 0: `Prefer: respond-async`. */
  readonly waitSeconds?: number;
}

const RETRY_MS = 1_000;
/** A longer `Retry-After` means that the monthly quota is used up. */
const MAX_RETRY_SECONDS = 70;
/** Without an event or a comment for this time, a stream is stuck; comments come every 15 seconds. */
const SILENCE_MS = 60_000;
/** A scan that has not ended after this time will not. */
const SCAN_LIMIT_MS = 8 * 60_000;
const WAIT_SECONDS = 20;

/** What clients do that start scans: each method is one client from its first request to the end of its scan. */
export class Submitter {
  readonly #deps: SubmitterDeps;

  constructor(deps: SubmitterDeps) {
    this.#deps = deps;
  }

  /** As curl does: one request that is held, then others until the end. */
  async held(account: SoakAccount): Promise<void> {
    const id = await this.#submit({
      client: "held",
      account,
      waitSeconds: WAIT_SECONDS,
      ...this.#keyed(account),
    });
    if (id) await this.poll("held", account, id);
  }

  /** As a script does that knows no Idempotency-Key. */
  async plain(account: SoakAccount): Promise<void> {
    const submission = this.#deps.journal.submission(account.name);
    const id = await this.#submit({ client: "plain", account, submission });
    if (id) await this.poll("plain", account, id);
  }

  async followed(account: SoakAccount): Promise<void> {
    const id = await this.#submit({ client: "followed", account, ...this.#keyed(account) });
    if (id) await this.follow(account, id);
  }

  /** A client whose proxy repeats the request: at the same time to each service, and once more after the end. */
  async repeated(account: SoakAccount): Promise<void> {
    const { caller } = this.#deps;
    const keyed: Submitting = { client: "repeated", account, ...this.#keyed(account) };
    const services = Array.from({ length: caller.services }, (_, service) => service);
    const [id] = await Promise.all(services.map((service) => this.#submit({ ...keyed, service })));
    if (!id) return;
    await this.follow(account, id);
    await this.#submit(keyed);
  }

  async cancelled(account: SoakAccount): Promise<void> {
    const id = await this.#submit({ client: "cancelled", account, ...this.#keyed(account) });
    if (!id) return;
    const { caller, journal } = this.#deps;
    journal.cancelled.add(id);
    await this.#remove("cancelled", account, id);
    // It may have ended before the request arrived, which then deleted it.
    const path = `/v1/scan/${id}`;
    const read: Call = {
      ...{ client: "cancelled", key: account.key, path, route: "/v1/scan/{id}", expected: ["not_found"] },
    };
    for (
      let response = await caller.call(read);
      response?.status !== 200;
      response = await caller.call(read)
    ) {
      if (response?.status === 404) return this.#noteDeleted(account, id);
      await pause(response);
    }
  }

  /** Deletes a scan after its end. */
  async deleted(account: SoakAccount): Promise<void> {
    const id = await this.#submit({ client: "deleted", account, ...this.#keyed(account) });
    if (!id || (await this.poll("deleted", account, id))?.status !== "completed") return;
    if (await this.#remove("deleted", account, id)) this.#noteDeleted(account, id);
  }

  #noteDeleted({ name }: SoakAccount, id: string): void {
    this.#deps.journal.deleted.push({ id, account: name, status: "completed", failure: null });
  }

  /** Long polls until the end; undefined when the scan did not end. */
  async poll(client: Client, account: SoakAccount, id: string): Promise<Scan | undefined> {
    const { caller } = this.#deps;
    for (const started = Date.now(); Date.now() - started < SCAN_LIMIT_MS;) {
      const response = await caller.call({
        ...{ client, key: account.key, path: `/v1/scan/${id}`, route: "/v1/scan/{id}" },
        waitSeconds: WAIT_SECONDS,
      });
      const scan = response?.status === 200 ? (response.json as Scan) : undefined;
      if (scan && scan.status !== "processing") return scan;
      if (!scan) await pause(response);
    }
    return undefined;
  }

  /** Follows the events until the end, with another stream where one was interrupted. */
  async follow(account: SoakAccount, id: string): Promise<void> {
    for (const started = Date.now(); Date.now() - started < SCAN_LIMIT_MS; await delay(RETRY_MS))
      if (await this.#stream(account, id)) return;
  }

  #keyed({ name }: SoakAccount): Pick<Submitting, "submission"> {
    return { submission: this.#deps.journal.submission(name, randomUUID()) };
  }

  /** The id of the scan; undefined when the quota is used up, or a request without a key failed. */
  async #submit({
    client,
    account,
    submission,
    service,
    waitSeconds = 0,
  }: Submitting): Promise<string | undefined> {
    const { caller, targetUrl } = this.#deps;
    const { key } = submission;
    const headers = {
      ...(key !== undefined && { "Idempotency-Key": key }),
      ...(waitSeconds === 0 && { Prefer: "respond-async" }),
    };
    const own = { client, headers, waitSeconds, ...(service !== undefined && { service }) };
    const request = { ...own, key: account.key, path: "/v1/scan", body: { url: targetUrl } };
    for (;;) {
      const response = await caller.call(request);
      const id = response && idOf(response);
      if (id) {
        submission.ids.push(id);
        return id;
      }
      const next = afterRefusal(response, key !== undefined);
      submission.isUncertain ||= next === "uncertain";
      if (next !== "retry") return undefined;
      await pause(response);
    }
  }

  /** Whether the scan was there until this request. */
  async #remove(client: Client, account: SoakAccount, id: string): Promise<boolean> {
    const { caller } = this.#deps;
    for (;;) {
      const response = await caller.call({
        ...{ client, key: account.key, method: "DELETE", path: `/v1/scan/${id}`, route: "/v1/scan/{id}" },
        expected: ["not_found"], // an earlier request without a response may have deleted it
      });
      if (response?.status === 204 || response?.status === 404) return true;
      if (response && ![429, 503].includes(response.status)) return false;
      await pause(response);
    }
  }

  /** Whether the stream came to the end of the scan. */
  async #stream({ key }: SoakAccount, scan: string): Promise<boolean> {
    const { caller, journal } = this.#deps;
    const [service, from, silence] = [caller.nextService(), Date.now(), new AbortController()];
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const note = (end?: "completed" | "failed"): boolean => {
      const isSilent = silence.signal.aborted;
      journal.streams.push({ scan, service, from, to: Date.now(), end, isSilent });
      return end !== undefined;
    };
    try {
      const response = await fetch(`${caller.urlOf(service)}/v1/scan/${scan}/events`, {
        headers: { Authorization: `Bearer ${key}` },
        signal: silence.signal,
      });
      if (response.status !== 200) return refused(journal, response, { service, from });
      const watched = response.body!.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            timer.refresh();
            controller.enqueue(chunk);
          },
        }),
      );
      const last = (await new StreamReader(new Response(watched)).rest()).at(-1)?.event;
      return note(last === "completed" || last === "failed" ? last : undefined);
    } catch {
      return note();
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A stream that was not opened is an exchange. */
async function refused(
  journal: Journal,
  response: Response,
  { service, from }: { readonly service: number; readonly from: number },
): Promise<boolean> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string } };
  const hasRetryAfter = response.headers.has("retry-after");
  journal.exchanges.push({
    ...{ client: "followed", what: "GET /v1/scan/{id}/events", service, from, to: Date.now(), expected: [] },
    response: { status: response.status, code: error?.code, hasRetryAfter, hasLocation: false },
  });
  await pauseOf(response.headers);
  return false;
}

/** What a client does that got no scan. Without a key, it cannot retry what may have started one. */
function afterRefusal(
  response: TestResponse | undefined,
  hasKey: boolean,
): "retry" | "uncertain" | "give up" {
  if (response?.status === 429)
    return Number(response.headers.get("retry-after")) > MAX_RETRY_SECONDS ? "give up" : "retry";
  if (response && response.status !== 503) return "give up";
  return hasKey ? "retry" : "uncertain";
}

const pause = (response: TestResponse | undefined): Promise<void> => pauseOf(response?.headers);
const pauseOf = (headers: Headers | undefined): Promise<void> =>
  delay(Math.min(Number(headers?.get("retry-after") ?? 0), MAX_RETRY_SECONDS) * 1000 || RETRY_MS);

/** Of the body, or of the Location where the scan has failed. */
function idOf({ status, json, headers }: TestResponse): string | undefined {
  if (status === 200) return (json as { id: string }).id;
  return headers.get("location")?.replace("/v1/scan/", "");
}
