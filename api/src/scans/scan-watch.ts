import type { ServerResponse } from "node:http";
import type { ScanRow, StoreEvent } from "@glovebox/store";

export interface HubCapacity {
  /** Held requests and event streams at a time. */
  readonly total: number;
  /** Limit per account, so that one account cannot use up the total. */
  readonly perAccount: number;
}

type ProgressEvent = Extract<StoreEvent, { type: "scanProgress" }>;

export interface WatchOptions {
  /** The key of the client: the watch wakes when it is revoked or expires earlier. */
  readonly keyId?: string;
  /** The watch wakes when this connection closes. */
  readonly client?: Pick<ServerResponse, "destroyed" | "once" | "off">;
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** Wakes waiting clients on events of the store. One per process; the number of clients is limited, in total and per account. */
export class ScanHub {
  readonly #watches = new Map<string, Set<ScanWatch>>();
  readonly #ofAccounts = new Map<string, number>();
  readonly #capacity: HubCapacity;
  #size = 0;
  #closed = false;

  constructor(capacity: HubCapacity) {
    this.#capacity = capacity;
  }

  /**
   * Starts to watch a scan of the account; undefined when too many clients wait, or the service is shutting down.
   */
  watch(
    { id, accountId }: { readonly id: string; readonly accountId: string },
    options: WatchOptions = {},
  ): ScanWatch | undefined {
    if (this.#closed || this.#size >= this.#capacity.total || this.isFullFor(accountId)) return undefined;
    const watch = new ScanWatch(options, () => {
      if (this.#remove(id, watch)) this.#count(accountId, -1);
    });
    this.#count(accountId, 1);
    let watches = this.#watches.get(id);
    if (!watches) this.#watches.set(id, (watches = new Set()));
    watches.add(watch);
    return watch;
  }

  /** The account has reached its limit. */
  isFullFor(accountId: string): boolean {
    return (this.#ofAccounts.get(accountId) ?? 0) >= this.#capacity.perAccount;
  }

  publish(event: StoreEvent): void {
    if (event.type === "scanEnded") for (const watch of this.#of(event.id)) watch.wake("changed");
    else if (event.type === "scanProgress") for (const watch of this.#of(event.id)) watch.progress(event);
    else if (event.type === "keyRevoked") this.#wakeAll("changed", (watch) => watch.keyId === event.keyId);
    else if (event.type === "reconnected") this.#wakeAll("changed");
  }

  /** Held requests get the current state, streams end, and no new waits start. */
  close(): void {
    this.#closed = true;
    this.#wakeAll("closing");
  }

  get size(): number {
    return this.#size;
  }

  #of(id: string): Iterable<ScanWatch> {
    return this.#watches.get(id) ?? [];
  }

  #wakeAll(reason: "changed" | "closing", concerns = (_watch: ScanWatch): boolean => true): void {
    for (const watches of this.#watches.values())
      for (const watch of watches) if (concerns(watch)) watch.wake(reason);
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#size += change;
    const count = (this.#ofAccounts.get(accountId) ?? 0) + change;
    if (count === 0) this.#ofAccounts.delete(accountId);
    else this.#ofAccounts.set(accountId, count);
  }

  /** False: it was removed before. */
  #remove(id: string, watch: ScanWatch): boolean {
    const watches = this.#watches.get(id);
    if (!watches?.delete(watch)) return false;
    if (watches.size === 0) this.#watches.delete(id);
    return true;
  }
}

/** Why a watch returned: the scan or the access of the client may have changed; timeout; shutdown; the client disconnected. */
export type Wake = "changed" | "timeout" | "closing" | "disconnected";

/**
 * A client that waits for a scan. A wake-up before `next` is called is kept, so that none is missed between "start to watch",
 * "read the row" and "wait".
 */
export class ScanWatch implements Disposable {
  readonly keyId: string | undefined;
  readonly progress: (event: ProgressEvent) => void;
  readonly #client: WatchOptions["client"];
  readonly #onStop: () => void;
  readonly #onClose = (): void => this.wake("disconnected");
  #pending: Wake | undefined;
  #resolve: ((wake: Wake) => void) | undefined;

  constructor({ client, keyId, onProgress = () => undefined }: WatchOptions, onStop: () => void) {
    this.keyId = keyId;
    this.progress = onProgress;
    this.#client = client?.once("close", this.#onClose);
    this.#onStop = onStop;
    if (client?.destroyed) this.#onClose();
  }

  /** The next wake-up, or `timeout` after this many milliseconds. */
  next(timeoutMs: number): Promise<Wake> {
    if (this.#pending) {
      const wake = this.#pending;
      // `disconnected` and `closing` are final; `changed` is consumed.
      if (wake === "changed") this.#pending = undefined;
      return Promise.resolve(wake);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle("timeout"), timeoutMs);
      this.#resolve = (wake) => {
        clearTimeout(timer);
        resolve(wake);
      };
    });
  }

  wake(reason: Exclude<Wake, "timeout">): void {
    if (this.#resolve && reason === "changed") this.#settle(reason);
    else {
      if (this.#pending === undefined || this.#pending === "changed") this.#pending = reason;
      if (this.#resolve) this.#settle(this.#pending);
    }
  }

  [Symbol.dispose](): void {
    this.#client?.off("close", this.#onClose);
    this.#onStop();
  }

  #settle(wake: Wake): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(wake);
  }
}

export interface WaitOptions {
  /** Undefined if the service is stopping or too many clients wait already. */
  readonly watch: ScanWatch | undefined;
  readonly seconds: number;
  readonly now: () => Date;
  readonly read: () => Promise<ScanRow | undefined>;
  /** The state of the scan when the watch began, if known: then it is not read. */
  readonly current?: ScanRow | undefined;
  /** Asked again and again. @throws ApiError when the client may no longer wait */
  readonly recheckAccess: () => Promise<void>;
}

/** Between two looks at whether a client may still wait. */
const ACCESS_CHECK_MS = 5_000;

export interface Waited {
  readonly found: ScanRow | undefined;
  /** The wait ended early, because too many clients wait or the service is shutting down. */
  readonly cutShort: boolean;
}

/**
 * Waits until the scan has ended or the time is over: reads it, and again whenever it may have changed. Without a watch it is
 * read once.
 */
export async function waitForEnd(options: WaitOptions): Promise<Waited | "disconnected"> {
  const { watch, seconds, now, read, recheckAccess } = options;
  const begun = now().getTime();
  let waitedMs = 0;
  let found = options.current ?? (await read());
  while (found?.status === "processing") {
    if (!watch) return { found, cutShort: seconds > 0 };
    const left = Math.max(0, seconds * 1000 - Math.max(waitedMs, now().getTime() - begun));
    const step = Math.min(left, ACCESS_CHECK_MS);
    const wake = await watch.next(step);
    if (wake === "disconnected") return wake;
    if (wake === "closing") return { found, cutShort: true };
    await recheckAccess();
    if (wake === "timeout") waitedMs += step;
    if (wake === "timeout" && step < left) continue;
    found = await read();
    if (wake === "timeout") break;
  }
  return { found, cutShort: false };
}
