import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discoveredOperation, type OperationFacts } from "../inventory/operation.ts";
import {
  CREATION,
  MALFORMED,
  NO_OBJECT,
  OWN_OBJECT,
  ProbeResponse,
  WELL_FORMED,
  type ProbeRequest,
  type WriteForm,
} from "../transport/exchange.ts";
import { afterNoResponse, afterWrite, decide, UNTRIED, type Decision, type WriteState } from "./policy.ts";

const operation = (path: string, names: readonly string[], more: Partial<OperationFacts> = {}) => ({
  ...discoveredOperation({ method: "POST", path, source: "spec", ...more }),
  body: {
    mediaType: "application/json",
    required: true,
    sample: Object.fromEntries(names.map((name) => [name, "test"])),
    fields: names.map((name) => ({ path: name, name, type: "string", readOnly: false, required: true })),
    closed: false,
  },
});
const orders = operation("/orders", ["item"]);
const register = operation("/register", ["email", "password"]);
const signIn = operation("/login", ["username", "password"]);
const sessions = operation("/sessions", ["username", "password"]);
const search = operation("/search", ["term"]);
const fetching = operation("/pages/fetch", ["url"]);
const asking = operation("/assistant/ask", ["question"]);
const reset = operation("/password-reset", ["email"]);
const discoveredSearch = operation("/search", ["term"], { source: "discovered" });

const WRONG: WriteForm = { kind: "attempt", credentials: "wrong" };
const LIKELY: WriteForm = { kind: "attempt", credentials: "likely" };
const withoutPassword: WriteForm = { kind: "malformed", without: ["password"] };

const requestOf = (
  form: WriteForm,
  { facts, body = "{}" }: { facts?: OperationFacts; body?: string } = {},
): ProbeRequest => ({
  method: facts?.method ?? "POST",
  url: `https://api.test${facts?.path ?? "/"}`,
  headers: { "content-type": "application/json" },
  body,
  form,
});

function responseOf(status: number, json?: unknown, headers: Record<string, string> = {}): ProbeResponse {
  const body = json === undefined ? "" : JSON.stringify(json);
  const type = { "content-type": "application/json", ...headers };
  return new ProbeResponse({ request: requestOf(MALFORMED), status, headers: type, body });
}

/** A redirect to this address, from its path unless another is given. */
const redirectTo = (location: string, path: string = location.split("?")[0]!): ProbeResponse => {
  const request = { ...requestOf(MALFORMED), url: `https://api.test${path}` };
  return new ProbeResponse({ request, status: 302, headers: { location }, body: "" });
};

const stateAfter = (
  facts: OperationFacts,
  ...writes: readonly (readonly [WriteForm, ProbeResponse, string?])[]
): WriteState =>
  writes.reduce<WriteState>(
    (state, [form, response, body]) =>
      afterWrite(state, { facts, request: requestOf(form, { facts, ...(body && { body }) }) }, response)
        .state,
    UNTRIED,
  );
const decisionOn = (
  form: WriteForm,
  facts: OperationFacts | undefined,
  state: WriteState = UNTRIED,
  body?: string,
): Decision =>
  decide(state, { facts, request: requestOf(form, { ...(facts && { facts }), ...(body && { body }) }) });
const isRefused = (decision: Decision): boolean => typeof decision === "object";

const invalid = responseOf(422, { error: "password is required" });

describe("the first write to an operation", () => {
  it.each<[string, WriteForm, OperationFacts | undefined, Decision | "refused"]>([
    ["that has no member of it is sent", MALFORMED, orders, "send"],
    ["to an object that cannot exist is sent", NO_OBJECT, orders, "send"],
    ["as its document describes it is refused", WELL_FORMED, orders, "refused"],
    ["as its document describes it is refused where nothing is known", WELL_FORMED, undefined, "refused"],
    ["of a declared search is sent as it is", WELL_FORMED, search, "send"],
    ["of a search that no document declares waits", WELL_FORMED, discoveredSearch, "careful write first"],
    ["of a declared fetch waits for a careful one", WELL_FORMED, fetching, "careful write first"],
    ["that signs in waits for a careful one", WRONG, signIn, "careful write first"],
    ["that signs in is refused at a registration", LIKELY, register, "refused"],
    ["of a registration without a password waits", withoutPassword, register, "careful write first"],
    ["with a prompt waits for a careful one", { kind: "prompt" }, asking, "careful write first"],
    ["with a prompt is refused where no model is known", { kind: "prompt" }, orders, "refused"],
  ])("%s", (_, form, facts, expected) => {
    const decision = decisionOn(form, facts);
    expect(typeof decision === "object" ? "refused" : decision).toBe(expected);
  });

  it.each([201, 202, 204])("a search whose document declares %d is not a read", (status) => {
    const responses = [{ status: String(status), fields: [] }];
    const declaring = { ...search, responses };
    const expected = status === 204 ? "send" : "refused";
    const decision = decisionOn(WELL_FORMED, declaring);
    expect(typeof decision === "object" ? "refused" : decision).toBe(expected);
  });

  it("the first write to an operation of a GraphQL query is sent, and of a mutation is refused", () => {
    const body = (query: string): string => JSON.stringify({ query });
    expect(decisionOn(WELL_FORMED, undefined, UNTRIED, body("{books{id}}"))).toBe("send");
    expect(decisionOn(WELL_FORMED, undefined, UNTRIED, body('{a(b:"mutation c")}'))).toBe("send");
    expect(isRefused(decisionOn(WELL_FORMED, undefined, UNTRIED, body("query a{b} mutation c{d}")))).toBe(
      true,
    );
  });
});

describe("after the careful write was refused", () => {
  const refused = (facts: OperationFacts): WriteState => stateAfter(facts, [MALFORMED, invalid]);

  it("a body without a password is sent only where that was refused", () => {
    expect(decisionOn(withoutPassword, register, refused(register))).toBe("send");
    const other = stateAfter(register, [MALFORMED, responseOf(400, { error: "email is required" })]);
    expect(isRefused(decisionOn(withoutPassword, register, other))).toBe(true);
  });

  it("a well-formed body is still refused where it may be stored", () => {
    expect(isRefused(decisionOn(WELL_FORMED, orders, refused(orders)))).toBe(true);
    expect(isRefused(decisionOn(WELL_FORMED, discoveredSearch, refused(discoveredSearch)))).toBe(true);
    expect(decisionOn(WELL_FORMED, fetching, refused(fetching))).toBe("send");
  });

  it("likely credentials wait until wrong ones were refused, and end with the first that sign in", () => {
    const denied = responseOf(401, { error: "Wrong" });
    expect(decisionOn(LIKELY, signIn, refused(signIn))).toBe("wrong attempt first");
    const judging = stateAfter(signIn, [MALFORMED, invalid], [WRONG, denied]);
    expect(decisionOn(LIKELY, signIn, judging)).toBe("send");
    const token = responseOf(200, { token: "k3J9sLq0vB7nX2aZ" });
    const inside = stateAfter(
      signIn,
      [MALFORMED, invalid],
      [WRONG, denied],
      [LIKELY, denied, '{"a":1}'],
      [LIKELY, token, '{"a":2}'],
    );
    expect(isRefused(decisionOn(LIKELY, signIn, inside, '{"a":3}'))).toBe(true);
    expect(decisionOn(LIKELY, signIn, inside, '{"a":1}')).toBe("send");
    expect(decisionOn(LIKELY, signIn, inside, '{"a":2}')).toBe("send");
    expect(decisionOn(WRONG, signIn, inside)).toBe("send");
  });

  it.each<[string, WriteForm, ProbeResponse]>([
    ["wrong credentials with a token", WRONG, responseOf(200, { token: "k3J9sLq0vB7nX2aZ" })],
    ["wrong credentials with a bare acknowledgement", WRONG, responseOf(200, { ok: true })],
    ["a prompt with a record", { kind: "prompt" }, responseOf(200, { id: 7, question: "?" })],
    ["an invalid body with no content", MALFORMED, responseOf(204)],
    [
      "an invalid body with a redirect to what was made",
      MALFORMED,
      responseOf(303, undefined, { location: "/orders/7" }),
    ],
  ])("an operation that responds %s is sent nothing more", (_, form, response) => {
    const facts = form.kind === "prompt" ? asking : signIn;
    const request = requestOf(form, { facts });
    const { state, mayBeStored } = afterWrite(refused(facts), { facts, request }, response);
    expect({ phase: state.phase, mayBeStored }).toEqual({ phase: "closed", mayBeStored: true });
    for (const next of [MALFORMED, NO_OBJECT, WRONG, WELL_FORMED])
      expect(isRefused(decisionOn(next, facts, state))).toBe(true);
  });
});

describe("a write that is accepted", () => {
  const outcome = (facts: OperationFacts, form: WriteForm, response: ProbeResponse) => {
    const { state, mayBeStored } = afterWrite(
      UNTRIED,
      { facts, request: requestOf(form, { facts }) },
      response,
    );
    return [state.phase, mayBeStored];
  };
  const records = responseOf(200, { results: [{ id: 1, title: "Lark" }] });

  it.each<[string, OperationFacts, WriteForm, ProbeResponse, readonly [string, boolean]]>([
    ["shows that a search reads by its results", discoveredSearch, MALFORMED, records, ["reads", false]],
    [
      "shows no read by results of an operation of another name",
      orders,
      MALFORMED,
      records,
      ["closed", true],
    ],
    [
      "shows that a declared fetch reads by its failure",
      fetching,
      MALFORMED,
      responseOf(200, { delivered: false, code: "E1" }),
      ["reads", false],
    ],
    [
      "shows no read by an acknowledgement",
      discoveredSearch,
      MALFORMED,
      responseOf(200, { ok: true }),
      ["closed", true],
    ],
    [
      "shows that a declared search stores by 201",
      search,
      WELL_FORMED,
      responseOf(201, {}),
      ["closed", true],
    ],
    [
      "is not a read by an error in a success",
      orders,
      MALFORMED,
      responseOf(200, { error: "Invalid" }),
      ["refused", false],
    ],
    ["may be an upsert", { ...orders, method: "PUT" }, NO_OBJECT, responseOf(200, {}), ["closed", true]],
    ["deletes nothing", { ...orders, method: "DELETE" }, NO_OBJECT, responseOf(204), ["closed", false]],
    ["is accepted by 201", orders, MALFORMED, responseOf(201, { status: "fail" }), ["closed", true]],
    ["may lead back to a list", orders, MALFORMED, redirectTo("/orders"), ["closed", true]],
    ["is refused by a sign-in's own form", sessions, MALFORMED, redirectTo("/sessions"), ["refused", false]],
    ["leads to a search by its address", search, WELL_FORMED, redirectTo("/search?term=a"), ["reads", false]],
    ["may lead to the sign-in", reset, MALFORMED, redirectTo("/login", "/password-reset"), ["closed", true]],
  ])("%s", (_, facts, form, response, expected) => expect(outcome(facts, form, response)).toEqual(expected));
});

describe("a write without a response", () => {
  const lost = (state: WriteState, form: WriteForm = MALFORMED, method = "POST"): WriteState =>
    afterNoResponse(state, { ...requestOf(form), method }, "lost");

  it("a write without a response is the last where three were lost, or one timed out", () => {
    const twice = lost(lost(UNTRIED));
    expect(twice).toMatchObject({ phase: "untried", withoutResponse: 2 });
    expect(lost(twice)).toMatchObject({ phase: "closed", withoutResponse: 3 });
    expect(afterNoResponse(UNTRIED, requestOf(MALFORMED), "timed out")).toMatchObject({
      phase: "closed",
      withoutResponse: 1,
    });
  });

  it("was not stored where the next one is refused", () => {
    const request = requestOf(MALFORMED, { facts: orders });
    const { state } = afterWrite(lost(UNTRIED), { facts: orders, request }, invalid);
    expect(state).toMatchObject({ phase: "refused", withoutResponse: 0 });
  });

  it("leaves nothing behind where it deletes, or is known to read", () => {
    expect(lost(UNTRIED, NO_OBJECT, "DELETE")).toBe(UNTRIED);
    expect(lost(UNTRIED, WELL_FORMED)).toBe(UNTRIED);
  });
});

const form: fc.Arbitrary<WriteForm> = fc.oneof(
  fc.constantFrom<WriteForm>(
    WELL_FORMED,
    MALFORMED,
    NO_OBJECT,
    { kind: "no-path" },
    { kind: "prompt" },
    WRONG,
    LIKELY,
  ),
  fc.record({ kind: fc.constant("malformed" as const), without: fc.subarray(["email", "password", "item"]) }),
);
const storing = fc.constantFrom(
  responseOf(201, { id: 1 }),
  responseOf(200, { id: 1 }),
  responseOf(200, { ok: true }),
  responseOf(202, {}),
  responseOf(204),
  responseOf(303, undefined, { location: "/things/1" }),
  responseOf(201, { error: "kept" }),
);

it("never has two requests stored by an operation that stores what it does not refuse", () => {
  const write = fc.record({
    form,
    body: fc.constantFrom("[]", "{}", '{"a":1}'),
    response: storing,
    isValid: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(orders, register, signIn, asking, fetching),
      fc.array(write),
      (facts, writes) => {
        let state = UNTRIED;
        let stored = 0;
        for (const { form: own, body, response, isValid } of writes) {
          // The first write is careful, as the ledger has it; the API validates as it likes.
          const decision = decisionOn(own, facts, state, body);
          if (typeof decision === "object") continue;
          const sent = decision === "send" ? own : decision === "careful write first" ? MALFORMED : WRONG;
          const received = isValid ? responseOf(422, { error: "password and item are required" }) : response;
          if (!isValid) stored += 1;
          state = afterWrite(state, { facts, request: requestOf(sent, { facts, body }) }, received).state;
        }
        expect(stored).toBeLessThanOrEqual(1);
      },
    ),
  );
});

it.each(["untried", "refused", "reads", "closed"] as const)(
  "sends no write of an active scan in safe mode, to an operation that is %s",
  (phase) => {
    for (const form of [CREATION, OWN_OBJECT])
      for (const facts of [orders, register, signIn, search, undefined])
        expect(decide({ ...UNTRIED, phase }, { request: requestOf(form), facts })).toEqual({
          refused: "Not sent: the scan runs in safe mode",
        });
  },
);
