import { BY_SCAN_ID } from "../caches/scan-cache.ts";
import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { Job } from "../kubernetes/api-client.ts";
import type { Lister } from "@glovebox/kube";
import { jobView } from "../kubernetes/job-view.ts";
import { admit, type Candidate, type QueuedScan, Reservations, type SlotLimits } from "@glovebox/scan-run";
import { ownerOf } from "../kubernetes/ownership.ts";
import { isFinished, lacksRecord } from "./status.ts";

export interface SlotsDeps {
  readonly scans: Pick<Lister<ScanResource>, "list" | "find">;
  readonly jobs: Pick<Lister<Job>, "list" | "find">;
  readonly limits: SlotLimits;
  /** The default account of the namespace, if known. */
  readonly defaultAccount: (namespace: string) => string | undefined;
}

/**
 * The slots for running scans. They are reserved by Jobs that have not ended, and by admitted scans whose Job is not in the cache
 * yet. Updated at each change, so that reconciling one scan does not read all others.
 */
export class Slots {
  readonly #deps: SlotsDeps;
  readonly #queued = new Map<string, QueuedScan>();
  readonly #reserved = new Reservations();
  /** Admitted, and their Job is not in the cache yet. */
  readonly #withoutJob = new Set<string>();
  /** By scan id, the keys under which it is queued or has a slot: normally one. Most Scans have ended and have none. */
  readonly #keys = new Map<string, readonly string[]>();
  /** By account, the number of its last admission. */
  readonly #admissions = new Map<string, number>();
  #lastAdmission = 0;
  /** Scans that may reserve a slot now, until something changes. */
  #eligible: Set<string> | undefined;
  #isAnnounced = false;

  constructor(deps: SlotsDeps) {
    this.#deps = deps;
  }

  /** Called when this process becomes the leader: reads everything once. */
  refreshAll(): void {
    const ofJobs = this.#deps.jobs.list().map(({ metadata }) => metadata?.labels?.[LABELS.scan] ?? "");
    for (const scanId of new Set([...this.#deps.scans.list().map(scanIdOf), ...ofJobs])) this.refresh(scanId);
    this.#invalidate();
  }

  /** Called when a Scan of this id, or a Job of it, was added, changed or deleted. */
  refresh(scanId: string): void {
    const scans = new Map(this.#deps.scans.find(BY_SCAN_ID, scanId).map((scan) => [slotKey(scan), scan]));
    const live = this.#deps.jobs.find(LABELS.scan, scanId).filter((job) => !jobView(job).ended);
    const withJob = new Set(live.map((job) => slotKeyFor(scanId, ownerOf(job))));
    const present = new Set([...scans.keys(), ...withJob]);
    for (const key of new Set([...present, ...(this.#keys.get(scanId) ?? [])])) {
      const scan = scans.get(key);
      if (scan) this.#noteAdmission(scan);
      if (withJob.has(key)) this.#reserve(key, scan);
      else if (scan && !isOver(scan)) this.#enqueue(key, scan);
      else this.#remove(key);
    }
    const held = [...present].filter((key) => this.#reserved.has(key) || this.#queued.has(key));
    if (held.length > 0) this.#keys.set(scanId, held);
    else this.#keys.delete(scanId);
  }

  /** Whether this Scan may start now; if so, its slot is reserved until its Job is seen or it has ended. */
  slotOf(scan: ScanResource): "granted" | "waiting" {
    const key = slotKey(scan);
    if (this.#reserved.has(key)) return "granted";
    if (!this.#eligibleNow().delete(key)) return "waiting";
    const candidate = this.#candidateOf(scan);
    this.#queued.delete(key);
    this.#reserved.put(candidate);
    this.#withoutJob.add(key);
    this.#admissions.set(candidate.account, ++this.#lastAdmission);
    return "granted";
  }

  /** The Scans that have become eligible since the last call, in the order of the queue. */
  newlyEligible(): readonly ScanResource[] {
    const eligible = this.#eligibleNow();
    if (this.#isAnnounced) return [];
    this.#isAnnounced = true;
    return [...eligible].flatMap((key) =>
      this.#deps.scans.find(BY_SCAN_ID, key.split("/")[0]!).filter((scan) => slotKey(scan) === key),
    );
  }

  /** Scans that have neither ended nor a Job. */
  queued(): readonly QueuedScan[] {
    return [...this.#queued.values()];
  }

  #reserve(key: string, scan: ScanResource | undefined): void {
    // The Job of an admitted scan takes the slot reserved for it, which changes nothing for others.
    if (!this.#reserved.has(key)) this.#invalidate();
    this.#withoutJob.delete(key);
    this.#queued.delete(key);
    this.#reserved.put(scan ? this.#candidateOf(scan) : { id: key, account: "", host: "" });
  }

  #enqueue(key: string, scan: ScanResource): void {
    if (this.#withoutJob.has(key) || this.#queued.has(key)) return;
    if (this.#reserved.delete(key) || !this.#isFull()) this.#invalidate();
    this.#queued.set(key, {
      ...this.#candidateOf(scan),
      since: Date.parse(scan.metadata.creationTimestamp),
    });
  }

  #remove(key: string): void {
    this.#withoutJob.delete(key);
    const hadSlot = this.#reserved.delete(key) || this.#eligible?.has(key) === true;
    if (!this.#queued.delete(key) && !hadSlot) return;
    if (hadSlot || !this.#isFull()) this.#invalidate();
  }

  #invalidate(): void {
    this.#eligible = undefined;
    this.#isAnnounced = false;
  }

  /** All slots are reserved or granted: a change of the queue does not affect other scans. */
  #isFull(): boolean {
    if (!this.#eligible) return false;
    return this.#reserved.total + this.#eligible.size >= this.#deps.limits.total;
  }

  #eligibleNow(): Set<string> {
    return (this.#eligible ??= new Set(this.#admit()));
  }

  #admit(): string[] {
    const { limits } = this.#deps;
    if (this.#reserved.total >= limits.total) return [];
    const queued = this.queued().map((scan) => ({
      ...scan,
      lastAdmission: this.#admissions.get(scan.account) ?? 0,
    }));
    return admit(queued, this.#reserved, limits);
  }

  #candidateOf(scan: ScanResource): Candidate {
    return { id: slotKey(scan), account: this.#accountOf(scan), host: targetHostOf(scan.spec.url) };
  }

  /** Scans that name no account share the account of their namespace; while it is not known, one for each namespace. */
  #accountOf({ spec, metadata: { namespace } }: ScanResource): string {
    return spec.account ?? this.#deps.defaultAccount(namespace) ?? `of ${namespace}`;
  }

  /** Numbers admissions by their time, so that a new leader continues the order of the previous one. */
  #noteAdmission(scan: ScanResource): void {
    const { status } = scan;
    if (status?.startedAt === undefined) return;
    const account = this.#accountOf(scan);
    const at = Date.parse(status.startedAt);
    this.#lastAdmission = Math.max(this.#lastAdmission, at);
    if (at > (this.#admissions.get(account) ?? 0)) this.#admissions.set(account, at);
  }
}

/** It takes no slot any more; without its record, not now. */
const isOver = (scan: ScanResource): boolean =>
  isFinished(scan) || lacksRecord(scan) || scan.metadata.deletionTimestamp !== undefined;

/** With the uid, because another Scan may claim the same id and must not get its slot. */
const slotKey = (scan: ScanResource): string => slotKeyFor(scanIdOf(scan), scan.metadata.uid);
const slotKeyFor = (scanId: string, uid: string): string => `${scanId}/${uid}`;

const targetHostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
