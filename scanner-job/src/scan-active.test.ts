import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_LIMITS, type JournalEntry, type Report, type ScanOrder } from "@glovebox/contract";
import { expect, test } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";
import { examineTarget, type Examination } from "./scan.ts";
import { anybody, notesApi, SEEDED, type NotesApi, type NotesRules } from "./testing/notes-api.ts";
import { serve } from "./testing/serve.ts";

const TIMED_OUT = 120_000;
const ACTIVE = CHECKS.filter(({ active }) => active);

interface Scanned {
  readonly api: NotesApi;
  readonly report?: Report;
  readonly failure?: Examination["failure"];
}

async function scanned(
  rules: NotesRules,
  {
    checks = ACTIVE,
    cancelled,
    ...terms
  }: Partial<Pick<ScanOrder, "mode" | "limits">> & { checks?: typeof CHECKS; cancelled?: AbortSignal } = {},
): Promise<Scanned> {
  const api = notesApi(rules);
  await using server = await serve(api.target);
  const examination = await examineTarget(
    {
      scanId: "test",
      url: server.url,
      mode: "active",
      spec: { from: "text", text: JSON.stringify(api.document) },
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
      ...terms,
    },
    {
      checks,
      onProgress: () => {},
      onFault: (check, error) => {
        throw new Error(`${check.id} is at fault`, { cause: error });
      },
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: (ms) => wait(ms),
      today: () => new Date(),
      ...(cancelled && { cancelled }),
    },
    new AbortController().signal,
  );
  return { ...examination, api };
}

const remaining = (journal: readonly JournalEntry[] = []): JournalEntry[] =>
  journal.filter(({ cleaned }) => !cleaned);
const idsOf = ({ notes, users }: NotesApi): unknown[] => [...notes, ...users].map(({ id }) => id);
const NOTHING_LEFT = [1, 2, 3, "ada"];

test(
  "an active scan leaves nothing behind where everything can be deleted",
  { timeout: TIMED_OUT },
  async () => {
    const { report, api } = await scanned(
      { change: anybody, remove: anybody, withAccountDeletion: true },
      { checks: CHECKS },
    );
    expect(report).toMatchObject({ mode: "active", identities: [{ name: "self-1" }, { name: "self-2" }] });
    expect(report!.journal!.length).toBeGreaterThan(10);
    expect(remaining(report!.journal)).toEqual([]);
    expect(idsOf(api)).toEqual(NOTHING_LEFT);
    expect(api.seeded()).toBe(SEEDED);
  },
);

test(
  "what cannot be deleted is listed with the reason, and with a command where there is one",
  { timeout: TIMED_OUT },
  async () => {
    const { report, api } = await scanned({ remove: () => false });
    const left = remaining(report!.journal);
    expect(left.map(({ reason }) => reason)).toContain("DELETE returned 404, but it still exists.");
    const note = left.find(
      ({ operation, request }) => operation.path === "/notes" && request.method === "POST",
    )!;
    expect(note.curl).toMatch(/^curl -gski -X DELETE -H "\$SELF_1" 'http:\/\/127.0.0.1:\d+\/notes\/4'$/);
    const account = left.find(({ operation }) => operation.path === "/register")!;
    expect(account.reason).toMatch(/^The API has no operation that deletes the account glovebox[a-z]{9}\.$/);
    expect(api.seeded()).toBe(SEEDED);
    const created = api.notes.slice(3).map(({ id }) => `/notes/${id}`);
    expect(new Set(left.flatMap(({ object }) => object ?? []))).toEqual(new Set(["/me", ...created]));
  },
);

test("no secret of a user that was registered is in the report", { timeout: TIMED_OUT }, async () => {
  const { report, api } = await scanned({ change: anybody });
  const text = JSON.stringify(report);
  const passwords = api.users.slice(1).map(({ password }) => password);
  expect(passwords).toHaveLength(3);
  // The scan has not changed the address that it signs in with.
  for (const { email } of api.users.slice(1))
    expect(email).toMatch(/^glovebox[a-z]{8}[abc]@glovebox\.invalid$/);
  for (const secret of [...passwords, "token-of-user-1"]) expect(text).not.toContain(secret);
});

test(
  "a registration that asks for more is sent once more, with what it asks for",
  { timeout: TIMED_OUT },
  async () => {
    const { report, api } = await scanned({
      change: anybody,
      refuses: ({ nickname }) =>
        typeof nickname === "string"
          ? undefined
          : { status: 422, json: { errors: [{ field: "nickname", message: "is required" }] } },
    });
    expect(api.users).toHaveLength(4);
    expect(report!.findings.map(({ check }) => check)).toContain("bola-authorization/object-change");
  },
);

test(
  "an active scan without a registration says why it changed nothing",
  { timeout: TIMED_OUT },
  async () => {
    const { report, api } = await scanned({ change: anybody, withoutRegistration: true });
    expect(report!.notes.join(" ")).toContain("No operation was found at which anybody may register.");
    expect(report!.journal).toEqual([]);
    expect(idsOf(api)).toEqual(NOTHING_LEFT);
  },
);

test("a scan in safe mode registers nobody", { timeout: TIMED_OUT }, async () => {
  const { report, api } = await scanned(
    { change: anybody, remove: anybody },
    { mode: "safe", checks: CHECKS },
  );
  expect(report).toMatchObject({ mode: "safe" });
  expect(report!.journal).toBeUndefined();
  expect(report!.checks.map(({ check }) => check)).not.toContain("bola-authorization/object-change");
  expect(idsOf(api)).toEqual(NOTHING_LEFT);
});

test("a scan that is cancelled cleans up first", { timeout: TIMED_OUT }, async () => {
  const cancel = new AbortController();
  const { failure, api } = await scanned(
    {
      change: anybody,
      withAccountDeletion: true,
      // The second user does not change the note any more.
      remove: (user, note) => (cancel.abort(), note.owner === user.id),
    },
    { cancelled: cancel.signal },
  );
  expect(failure).toMatchObject({ code: "cancelled", message: "The scan was cancelled." });
  expect(idsOf(api)).toEqual(NOTHING_LEFT);
});

test(
  "what was created without a response that says so is found in the list, and deleted",
  { timeout: TIMED_OUT },
  async () => {
    const { report, api } = await scanned({ withAccountDeletion: true, failsAfterCreation: true });
    const creations = report!.journal!.filter(({ operation }) => operation.path === "/notes");
    expect(creations.map(({ response, cleaned }) => [response?.status, cleaned])).toContainEqual([500, true]);
    expect(idsOf(api)).toEqual(NOTHING_LEFT);
  },
);

test(
  "a scan that has used up its requests cleans up with those that were kept for it",
  { timeout: TIMED_OUT },
  async () => {
    const limits = { ...DEFAULT_LIMITS, maxRequests: 300 };
    const { report, failure, api } = await scanned({ withAccountDeletion: true }, { limits, checks: CHECKS });
    expect(report ?? failure).toBeDefined();
    expect(idsOf(api)).toEqual(NOTHING_LEFT);
  },
);
