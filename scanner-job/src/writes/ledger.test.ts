import { describe, expect, it } from "vitest";
import { discoveredOperation, Operation, type KnownFacts } from "../inventory/operation.ts";
import {
  MALFORMED,
  NO_OBJECT,
  NO_PATH,
  ProbeResponse,
  WELL_FORMED,
  type ProbeRequest,
} from "../transport/exchange.ts";
import { NetworkError, type NetworkErrorKind } from "../transport/network-error.ts";
import { WriteLedger } from "./ledger.ts";

const ORIGIN = "https://api.test";
const write = (path: string, more: Partial<ProbeRequest> = {}): ProbeRequest => ({
  method: "POST",
  url: ORIGIN + path,
  headers: { "content-type": "application/json" },
  body: "[]",
  form: MALFORMED,
  ...more,
});

/** A ledger before a target of which each request waits until it gets a response. */
function ledgerWith(...known: readonly KnownFacts[]) {
  const ledger = new WriteLedger();
  ledger.know(known.map((facts) => new Operation(ORIGIN, discoveredOperation({ source: "spec", ...facts }))));
  const waiting: {
    request: ProbeRequest;
    respond: (status: number, json?: unknown) => void;
    fail: (kind?: NetworkErrorKind) => void;
  }[] = [];
  const transmit = (request: ProbeRequest): Promise<ProbeResponse> =>
    new Promise((resolve, reject) => {
      waiting.push({
        request,
        respond: (status, json = {}) =>
          resolve(new ProbeResponse({ request, status, headers: {}, body: JSON.stringify(json) })),
        fail: (kind = "reset") => reject(new NetworkError(kind, "There was no response")),
      });
    });
  const pass = (request: ProbeRequest): Promise<number | string> =>
    ledger
      .pass(request, (each) => ledger.once(each, () => transmit(each)))
      .then(
        ({ status }) => status,
        (error: unknown) => (error instanceof NetworkError ? error.kind : String(error)),
      );
  return { ledger, waiting, pass };
}
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("writes to one operation", () => {
  it("writes to one operation are sent one at a time, and none after the first that was accepted", async () => {
    const { ledger, waiting, pass } = ledgerWith({ method: "POST", path: "/orders" });
    const responses = [pass(write("/orders")), pass(write("/orders")), pass(write("/orders?again=1"))];
    await soon();
    expect(waiting).toHaveLength(1);
    waiting[0]!.respond(201, { id: 1 });
    expect(await Promise.all(responses)).toEqual([201, "write_refused", "write_refused"]);
    expect(waiting).toHaveLength(1);
    expect(ledger.stored.map(({ location }) => location)).toEqual([{ method: "POST", path: "/orders" }]);
  });

  it("writes to one operation are those of its path template, regardless of the ids, and not another method's", async () => {
    const { waiting, pass } = ledgerWith({ method: "GET", path: "/orders/{orderId}" });
    const put = (id: string): Promise<number | string> =>
      pass(write(`/orders/${id}`, { method: "PUT", form: NO_OBJECT }));
    const [first, second] = [put("none-a"), put("none-b")];
    const deletion = pass(write("/orders/none-c", { method: "DELETE", form: NO_OBJECT }));
    await soon();
    expect(waiting.map(({ request: { method } }) => method)).toEqual(["PUT", "DELETE"]);
    for (const { respond } of waiting) respond(200, { id: 7 });
    expect(await Promise.all([first, second, deletion])).toEqual([200, "write_refused", 200]);
  });

  it("writes to one operation are at the same time once it is known to read", async () => {
    const { waiting, pass } = ledgerWith({ method: "POST", path: "/search" });
    const search = (term: string): Promise<number | string> =>
      pass(write("/search", { body: JSON.stringify({ term }), form: WELL_FORMED }));
    const first = search("a");
    await soon();
    waiting[0]!.respond(200, [{ id: 1 }]);
    expect(await first).toBe(200);
    const others = [search("b"), search("c")];
    await soon();
    expect(waiting).toHaveLength(3);
    for (const { respond } of waiting) respond(200, []);
    expect(await Promise.all(others)).toEqual([200, 200]);
  });

  it("begin with a careful one, regardless of what a check asks for", async () => {
    const { waiting, pass } = ledgerWith({ method: "POST", path: "/pages/fetch" });
    const response = pass(
      write("/pages/fetch?deep=1", { body: '{"url":"https://a.invalid/"}', form: WELL_FORMED }),
    );
    await soon();
    expect(waiting[0]!.request).toMatchObject({ url: `${ORIGIN}/pages/fetch`, body: "[]", form: MALFORMED });
    waiting[0]!.respond(400);
    await soon();
    expect(waiting[1]!.request.body).toContain("a.invalid");
    waiting[1]!.respond(200, { title: "A" });
    expect(await response).toBe(200);
  });

  it("writes to one operation to random paths are to one operation", async () => {
    const { ledger, waiting, pass } = ledgerWith();
    const responses = ["/abc", "/abc/abc"].map((path) => pass(write(path, { form: NO_PATH })));
    await soon();
    waiting[0]!.respond(201);
    expect(await Promise.all(responses)).toEqual(["write_refused", "write_refused"]);
    expect(ledger.stored).toHaveLength(1);
  });
});

describe("a write without a response", () => {
  it("a write without a response is repeated twice, and may have been stored", async () => {
    const { ledger, waiting, pass } = ledgerWith({ method: "POST", path: "/orders" });
    for (const [index, kind] of ["reset", "reset", "reset", "write_refused"].entries()) {
      const response = pass(write("/orders"));
      await soon();
      waiting[index]?.fail();
      expect(await response).toBe(kind);
    }
    expect(ledger.stored).toMatchObject([{ response: undefined }]);
    expect(ledger.mayRepeat(write("/orders"))).toBe(false);
  });
});

describe("a write that may have arrived", () => {
  it("counts against all callers of its operation", async () => {
    const { ledger, waiting, pass } = ledgerWith({ method: "POST", path: "/orders" });
    for (const [index, as] of ["alice", "bob", undefined].entries()) {
      const lost = pass(write("/orders", as === undefined ? {} : { as }));
      await soon();
      waiting[index]!.fail();
      expect(await lost).toBe("reset");
    }
    expect(await pass(write("/orders", { as: "alice" }))).toBe("write_refused");
    expect(ledger.stored).toHaveLength(3);
  });

  it.each(["reset", "timeout"] as const)(
    "is listed after the first %s, until one is refused",
    async (kind) => {
      const { ledger, waiting, pass } = ledgerWith({ method: "POST", path: "/orders" });
      const lost = pass(write("/orders"));
      await soon();
      waiting[0]!.fail(kind);
      expect(await lost).toBe(kind);
      expect(ledger.stored).toMatchObject([{ location: { path: "/orders" }, response: undefined }]);
      const next = pass(write("/orders"));
      await soon();
      waiting[1]?.respond(422);
      expect(await next).toBe(kind === "reset" ? 422 : "write_refused");
      expect(ledger.stored).toHaveLength(kind === "reset" ? 0 : 1);
    },
  );
});

it("a request that states no form is a fault of the program", async () => {
  const { pass } = ledgerWith();
  const { form: _, ...request } = write("/orders");
  expect(await pass(request)).toMatch(/^TypeError/);
});
