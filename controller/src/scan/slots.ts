import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { Wire } from "@glovebox/kube";
import type { V1Job } from "@kubernetes/client-node";
import type { Lister } from "../runtime/object-store.ts";
import { jobView } from "./attempt-views.ts";
import { ownerOf } from "./ownership.ts";
import { admit, type Caps, type Contender, type Waiting } from "./fair-queue.ts";
import { Holders } from "./holders.ts";
import { isFinished } from "./status.ts";

export interface SlotsDeps {
  readonly scans: Pick<Lister<ScanResource>, "list" | "find">;
  readonly jobs: Pick<Lister<Wire<V1Job>>, "list" | "find">;
  readonly caps: Caps;
  /** The account of Scans of this namespace that name none, as far as it is known. */
  readonly usualAccount: (namespace: string) => string | undefined;
}

/** Name of the index of Scans by their id. */
export const BY_SCAN_ID = "scanId";

/**
 * Who may have a Job: counted from the Jobs that have not ended, and those let go whose Job is not seen yet. Told of
 * each change, so that no look at one scan costs a look at all.
 */
export class Slots {
  readonly #deps: SlotsDeps;
  readonly #waiting = new Map<string, Waiting>();
  /** Those who have a Job that has not ended, and those let go. */
  readonly #holders = new Holders();
  /** Let go, and their Job is not seen yet. */
  readonly #letGo = new Set<string>();
  /** Of each scan id, the names under which its Scans and Jobs are known here: mostly one. */
  readonly #names = new Map<string, ReadonlySet<string>>();
  /** Of each account, the number of its last turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  /** Those whose turn it is, until something changes. */
  #next: Set<string> | undefined;
  #isTold = false;

  constructor(deps: SlotsDeps) {
    this.#deps = deps;
  }

  /** To be called when a lead begins: looks at everything once. */
  refreshAll(): void {
    const ofJobs = this.#deps.jobs.list().map(({ metadata }) => metadata?.labels?.[LABELS.scan] ?? "");
    for (const scanId of new Set([...this.#deps.scans.list().map(scanIdOf), ...ofJobs])) this.refresh(scanId);
    this.#change();
  }

  /** To be told that the Scan of this id, or a Job of it, has changed, came or went. */
  refresh(scanId: string): void {
    const scans = new Map(this.#deps.scans.find(BY_SCAN_ID, scanId).map((scan) => [nameOf(scan), scan]));
    const live = this.#deps.jobs.find(LABELS.scan, scanId).filter((job) => !jobView(job).ended);
    const withJob = new Set(live.map((job) => nameOfOwner(scanId, ownerOf(job))));
    const there = new Set([...scans.keys(), ...withJob]);
    for (const name of new Set([...there, ...(this.#names.get(scanId) ?? [])])) {
      const scan = scans.get(name);
      if (scan) this.#noteTurn(scan);
      if (withJob.has(name)) this.#takeSlot(name, scan);
      else if (scan && !isOver(scan)) this.#wait(name, scan);
      else this.#leave(name);
    }
    if (there.size > 0) this.#names.set(scanId, there);
    else this.#names.delete(scanId);
  }

  /** Whether this Scan may start now; if so, its slot is held until its Job is seen or it has ended. */
  slotOf(scan: ScanResource): "granted" | "waiting" {
    const id = nameOf(scan);
    if (this.#holders.has(id)) return "granted";
    if (!this.#admitted().delete(id)) return "waiting";
    const contender = this.#contenderOf(scan);
    this.#waiting.delete(id);
    this.#holders.put(contender);
    this.#letGo.add(id);
    this.#turns.set(contender.account, ++this.#turn);
    return "granted";
  }

  /** The Scans whose turn has come since this was asked last, in that order. */
  turns(): readonly ScanResource[] {
    const admitted = this.#admitted();
    if (this.#isTold) return [];
    this.#isTold = true;
    return [...admitted].flatMap((id) =>
      this.#deps.scans.find(BY_SCAN_ID, scanIdIn(id)).filter((scan) => nameOf(scan) === id),
    );
  }

  /** Scans that have neither ended nor a Job, with the time since when. */
  waiting(): readonly Waiting[] {
    return [...this.#waiting.values()];
  }

  #takeSlot(id: string, scan: ScanResource | undefined): void {
    // A Job that is seen takes the slot that was held for it: nobody else's turn changes.
    if (!this.#holders.has(id)) this.#change();
    this.#letGo.delete(id);
    this.#waiting.delete(id);
    this.#holders.put(scan ? this.#contenderOf(scan) : { id, account: "", host: "" });
  }

  #wait(id: string, scan: ScanResource): void {
    if (this.#letGo.has(id) || this.#waiting.has(id)) return;
    if (this.#holders.delete(id) || !this.#isTaken()) this.#change();
    this.#waiting.set(id, { ...this.#contenderOf(scan), since: Date.parse(scan.metadata.creationTimestamp) });
  }

  #leave(id: string): void {
    this.#letGo.delete(id);
    const hadSlot = this.#holders.delete(id) || this.#next?.has(id) === true;
    if (!this.#waiting.delete(id) && !hadSlot) return;
    if (hadSlot || !this.#isTaken()) this.#change();
  }

  /** It may be another's turn. */
  #change(): void {
    this.#next = undefined;
    this.#isTold = false;
  }

  /** Every slot is used or promised: who comes, or goes without having one, changes nobody's turn until one is free. */
  #isTaken(): boolean {
    if (!this.#next) return false;
    return this.#holders.total + this.#next.size >= this.#deps.caps.total;
  }

  #admitted(): Set<string> {
    return (this.#next ??= new Set(this.#admit()));
  }

  #admit(): string[] {
    const { caps } = this.#deps;
    if (this.#holders.total >= caps.total) return [];
    const waiting = this.waiting().map((scan) => ({ ...scan, lastTurn: this.#turns.get(scan.account) ?? 0 }));
    return admit(waiting, this.#holders, caps);
  }

  #contenderOf(scan: ScanResource): Contender {
    return { id: nameOf(scan), account: this.#accountOf(scan), host: hostOf(scan.spec.url) };
  }

  /** Scans that name no account are their namespace's, so they share one turn, whatever namespaces share that account. */
  #accountOf({ spec, metadata: { namespace } }: ScanResource): string {
    return spec.account ?? this.#deps.usualAccount(namespace) ?? `of ${namespace}`;
  }

  /** So that a new leader goes on where the one before it was: turns are numbered from moments on. */
  #noteTurn(scan: ScanResource): void {
    const { status } = scan;
    if (status?.startedAt === undefined) return;
    const account = this.#accountOf(scan);
    const at = Date.parse(status.startedAt);
    this.#turn = Math.max(this.#turn, at);
    if (at > (this.#turns.get(account) ?? 0)) this.#turns.set(account, at);
  }
}

const isOver = (scan: ScanResource): boolean =>
  isFinished(scan) || scan.metadata.deletionTimestamp !== undefined;

/** Another Scan may say that it has the same id: neither has the other's place, turn or slot. */
const nameOf = (scan: ScanResource): string => nameOfOwner(scanIdOf(scan), scan.metadata.uid);
const nameOfOwner = (scanId: string, uid: string): string => `${scanId}/${uid}`;
const scanIdIn = (name: string): string => name.split("/")[0]!;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
