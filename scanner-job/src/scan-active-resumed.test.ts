import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_LIMITS, type NotedWrite, type Resumption } from "@glovebox/contract";
import { expect, test } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";
import { examineTarget, type Examination } from "./scan.ts";
import { anybody, notesApi, SEEDED, type NotesApi } from "./testing/notes-api.ts";
import { serve, type Served } from "./testing/serve.ts";

const TIMED_OUT = 120_000;
const SEED = "0123456789abcdef".repeat(4);
const ACTIVE = CHECKS.filter(({ active }) => active);

interface Attempt {
  readonly resumption: Resumption;
  readonly onWrite: (write: NotedWrite) => void;
  /** Aborted: nothing more is sent, as by a scanner that is killed. */
  readonly killed?: AbortController;
}

const attempt = (
  server: Pick<Served, "url" | "port">,
  api: NotesApi,
  { resumption, onWrite, killed = new AbortController() }: Attempt,
): Promise<Examination> =>
  examineTarget(
    {
      scanId: "test",
      url: server.url,
      mode: "active",
      resumption,
      spec: { from: "text", text: JSON.stringify(api.document) },
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
    },
    {
      checks: ACTIVE,
      onProgress: () => {},
      onFault: () => {},
      onWrite,
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: (ms) => wait(ms),
      today: () => new Date(),
    },
    killed.signal,
  );

/** Two attempts, of which the first is killed once it has noted a note of its own. */
async function resumed(second: Partial<Resumption>) {
  const api = notesApi({ change: anybody, withAccountDeletion: true });
  await using server = await serve(api.target);
  const noted = new Map<number, NotedWrite>();
  const killed = new AbortController();
  await attempt(server, api, {
    resumption: { seed: SEED, writes: [] },
    killed,
    onWrite: (write) => {
      noted.set(write.seq, write);
      if (write.proven) killed.abort();
    },
  });
  const left = api.notes.length - 3;
  const examination = await attempt(server, api, {
    resumption: { seed: SEED, writes: [...noted.values()], ...second },
    onWrite: (write) => noted.set(write.seq, write),
  });
  return { api, left, examination, noted: [...noted.values()] };
}

const idsOf = ({ notes, users }: NotesApi): unknown[] => [...notes, ...users].map(({ id }) => id);
const NOTHING_LEFT = [1, 2, 3, "ada"];

test(
  "the attempt after a killed one tests as its users, and deletes them and all objects of both",
  { timeout: TIMED_OUT },
  async () => {
    const { api, left, examination, noted } = await resumed({});
    expect(left).toBeGreaterThan(0);
    const { report } = examination;
    expect(report?.findings.map(({ check }) => check)).toContain("bola-authorization/object-change");
    // Those that the second attempt sent have a body: it registers nobody but for the check of registrations.
    const registrations = report!.journal!.filter(({ operation }) => operation.path === "/register");
    const others = registrations.filter(({ request }) => request.body?.includes('"role"') !== true);
    expect(others.map(({ request }) => request.body)).toEqual([undefined, undefined]);
    expect(report).toMatchObject({ identities: [{ name: "self-1" }, { name: "self-2" }] });
    expect(report!.journal!.filter(({ cleaned }) => !cleaned)).toEqual([]);
    expect(noted.filter(({ cleaned }) => !cleaned)).toEqual([]);
    expect(idsOf(api)).toEqual(NOTHING_LEFT);
    expect(api.seeded()).toBe(SEEDED);
  },
);

test(
  "an attempt for the clean-up alone leaves nothing either, and creates nothing",
  { timeout: TIMED_OUT },
  async () => {
    const { api, left, examination, noted } = await resumed({ cleanUpOnly: true });
    expect(left).toBeGreaterThan(0);
    expect(examination.report).toBeUndefined();
    expect(noted.filter(({ cleaned }) => !cleaned)).toEqual([]);
    expect(idsOf(api)).toEqual(NOTHING_LEFT);
  },
);
