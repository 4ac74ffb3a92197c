import type { ScheduleRun } from "@glovebox/contract/schedules";
import type { Ledger } from "@glovebox/store/testing";
import type { Series } from "./memory.ts";

/** Moments are in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** A service is the API with its worker. */
export const COMPONENTS = ["scanners", "Redis", "PostgreSQL", "service"] as const;
type Component = (typeof COMPONENTS)[number];

/** A component that was killed or stopped, until it ran again. */
export interface Outage extends Period {
  readonly component: Component;
  /** Which service; undefined of what all of them share. */
  readonly service?: number | undefined;
}

/** Behaviours of clients (docs/faults.md, "Soak"). */
export const CLIENTS = [
  ...(["held", "plain", "followed", "repeated", "cancelled", "deleted"] as const),
  ...(["list", "read", "export", "dashboard", "assistant"] as const),
] as const;
export type Client = (typeof CLIENTS)[number];

/** A request of a client, and what it got. */
export interface Exchange extends Period {
  readonly client: Client;
  /** Such as `GET /v1/scans`, without ids. */
  readonly what: string;
  readonly service: number;
  /** `lost`: the connection ended without a response; `late`: no response before the deadline of the request. */
  readonly response: Received | "lost" | "late";
  /** Error codes that are right here, such as `not_found` of a scan that another client may have deleted. */
  readonly expected: readonly string[];
}

export interface Received {
  readonly status: number;
  /** Of the error. */
  readonly code?: string | undefined;
  readonly hasRetryAfter: boolean;
  /** Whether it names the scan that has failed. */
  readonly hasLocation: boolean;
}

/** One scan that a client asked for, however often it had to send the request. */
export interface Submission {
  readonly account: string;
  /** The Idempotency-Key of all its requests. */
  readonly key: string | undefined;
  /** Ids of scans in the responses. */
  readonly ids: readonly string[];
  /** A request without a key had no response, or 503: it may have started a scan that nobody knows of. */
  readonly isUncertain: boolean;
}

/** An event stream. */
export interface Stream extends Period {
  readonly scan: string;
  readonly service: number;
  /** The last event, if the stream ended with one that ends a scan. */
  readonly end: "completed" | "failed" | undefined;
  /** Neither an event nor a comment arrived in time. */
  readonly isSilent: boolean;
}

export interface SoakSchedule {
  readonly id: string;
  readonly account: string;
  /** Minutes of each hour, from `minute`, at which it is due. */
  readonly minute: number;
  readonly createdAt: number;
  readonly suspendedAt: number;
  readonly runs: readonly ScheduleRun[];
}

/** All that a run of the soak observed, when every scan has ended. */
export interface SoakFacts {
  readonly period: Period;
  readonly outages: readonly Outage[];
  readonly exchanges: readonly Exchange[];
  readonly submissions: readonly Submission[];
  readonly streams: readonly Stream[];
  readonly schedules: readonly SoakSchedule[];
  /** Number of exports, by format. */
  readonly exports: ReadonlyMap<string, number>;
  /** A sentence for each export that is not valid in its format. */
  readonly invalidExports: readonly string[];
  /** Ids of scans that clients cancelled. */
  readonly cancelled: ReadonlySet<string>;
  /** Scans that clients deleted after their end: they were charged and have no row. */
  readonly deleted: Ledger["scans"];
  readonly ledger: Ledger;
  /** What `GET /v1/scans` said of each account at the end. */
  readonly totals: Readonly<Record<string, number>>;
  /** Accounts with a webhook, and the ids of the scans in its deliveries. */
  readonly delivered: Readonly<Record<string, ReadonlySet<string>>>;
  readonly memory: readonly Series[];
  /** Processes that exited without being killed. */
  readonly unexpectedExits: readonly string[];
  /** Unexpected errors in the logs of the services: a sentence each. */
  readonly loggedErrors: readonly string[];
}
