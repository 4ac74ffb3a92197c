import * as fc from "fast-check";
import { MAX_JOURNAL } from "@glovebox/contract";
import { expect, test } from "vitest";
import { discoveredOperation, Operation } from "../inventory/operation.ts";
import {
  CREATION,
  MALFORMED,
  NO_OBJECT,
  OWN_OBJECT,
  ProbeResponse,
  readOf,
  WELL_FORMED,
  type ProbeRequest,
} from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import { WriteJournal } from "./journal.ts";
import { WriteLedger } from "./ledger.ts";

const ORIGIN = "https://api.test";
const MARKER = "gloveboxabcdefgh";
const operations = ["POST /notes", "GET /notes/{id}", "PATCH /notes/{id}", "DELETE /notes/{id}"].map(
  (text) => {
    const [method = "", path = ""] = text.split(" ");
    const id = {
      name: "id",
      in: "path",
      required: true,
      type: "string",
      sample: "1",
      sampleIsDeclared: false,
    } as const;
    return new Operation(
      ORIGIN,
      discoveredOperation({ method, path, parameters: path.includes("{") ? [id] : [], source: "spec" }),
    );
  },
);

/** A ledger before a target that responds so to every write. */
function ledgerBefore(status: number, json: unknown = {}, { isActive = true } = {}) {
  const journal = new WriteJournal(MARKER);
  const ledger = new WriteLedger(isActive ? journal : undefined);
  ledger.know(operations);
  const sent: ProbeRequest[] = [];
  const transmit = async (request: ProbeRequest) => {
    sent.push(request);
    if (status === 0) throw new NetworkError("timeout", "No response arrived");
    return responseTo(request, status, json);
  };
  const pass = (request: ProbeRequest): Promise<number | string> =>
    ledger
      .pass(request, (each) => ledger.once(each, () => transmit(each)))
      .then(
        (response) => response.status,
        (error: unknown) => String(error),
      );
  return { journal, pass, sent };
}

const responseTo = (request: ProbeRequest, status: number, json: unknown): ProbeResponse =>
  new ProbeResponse({ request, status, headers: {}, body: JSON.stringify(json) });
const creation: ProbeRequest = {
  ...{ method: "POST", url: `${ORIGIN}/notes`, as: "self-1", form: CREATION },
  body: JSON.stringify({ text: MARKER }),
};
const removal = (id: string): ProbeRequest => ({
  method: "DELETE",
  url: `${ORIGIN}/notes/${id}`,
  form: OWN_OBJECT,
});

test("an object that was created may be deleted once a read has shown the marker in it", async () => {
  const { journal, pass } = ledgerBefore(201, { id: "n7", text: MARKER });
  expect(await pass(creation)).toBe(201);
  expect(await pass(removal("n7"))).toContain("did not create");
  journal.see(responseTo(readOf(`${ORIGIN}/notes/n7`), 200, { text: "of somebody else" }));
  expect(await pass(removal("n7"))).toContain("did not create");
  journal.see(responseTo(readOf(`${ORIGIN}/notes/n7`), 200, { text: MARKER }));
  expect(journal.objects).toMatchObject([{ id: "n7", owner: "self-1", isOwn: true }]);
  expect(await pass(removal("n7"))).toBe(201);
  expect(await pass(removal("n7"))).toContain("did not create");
  expect(await pass(removal("n8"))).toContain("did not create");
});

test("every write is in the journal before its response arrives", async () => {
  const { journal, pass, sent } = ledgerBefore(0);
  expect(await pass(creation)).toContain("No response");
  expect(sent).toHaveLength(1);
  expect(journal.writes).toMatchObject([{ location: { method: "POST", path: "/notes" }, request: creation }]);
  expect(journal.writes[0]!.response).toBeUndefined();
});

test("nothing is sent that the journal has no place for", async () => {
  const { journal, pass, sent } = ledgerBefore(400);
  for (let count = 0; count < MAX_JOURNAL; count++) await pass({ ...creation });
  expect(await pass({ ...creation })).toContain("the journal is full");
  expect(journal.writes).toHaveLength(MAX_JOURNAL);
  expect(sent).toHaveLength(MAX_JOURNAL);
});

test("in safe mode none of these writes is sent", async () => {
  const { pass, sent } = ledgerBefore(201, { id: "n7", text: MARKER }, { isActive: false });
  for (const request of [creation, removal("n7")]) expect(await pass(request)).toContain("safe mode");
  expect(sent).toEqual([]);
});

test("all other writes are decided about as in safe mode", async () => {
  const forms = fc.constantFrom(MALFORMED, NO_OBJECT, WELL_FORMED, {
    kind: "malformed",
    without: ["a"],
  } as const);
  const requests = fc.record({
    method: fc.constantFrom("POST", "PATCH", "DELETE"),
    url: fc.constantFrom("/notes", "/notes/1", "/other").map((path) => ORIGIN + path),
    body: fc.constantFrom("[]", "{}"),
    form: forms,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { maxLength: 8 }),
      fc.constantFrom(200, 201, 400, 404),
      async (all, status) => {
        const [active, safe] = [ledgerBefore(status), ledgerBefore(status, {}, { isActive: false })];
        for (const request of all) expect(await active.pass(request)).toBe(await safe.pass(request));
        expect(active.sent).toEqual(safe.sent);
        expect(active.journal.writes).toEqual([]);
      },
    ),
    { numRuns: 50 },
  );
});
