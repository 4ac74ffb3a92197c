import { describe, expect, it } from "vitest";
import { bearer, callersOf, login } from "../testing/callers-of.ts";
import type { ProbeRequest } from "../transport/exchange.ts";

describe("new credentials", () => {
  /** An API whose tokens end with a 401 after `uses` requests. */
  function expiringApi(uses: number) {
    let issued = 0;
    let left = 0;
    return (request: ProbeRequest) => {
      if (request.method === "POST") {
        left = uses;
        return {
          body: {
            access_token: `token-no-${++issued}`,
            refresh_token: `refresh-no-${issued}`,
            expires_in: 100,
          },
        };
      }
      const isValid = bearer(request) === `Bearer token-no-${issued}` && left-- > 0;
      return isValid ? { body: { ok: true } } : { status: 401 };
    };
  }

  it("new credentials are requested by a new sign-in after a 401, and the request is repeated", async () => {
    const { callers, transmit, get, sent } = callersOf(expiringApi(1), { login });
    await callers.signIn(transmit);
    await get("/v1/me");
    expect((await get("/v1/me")).status).toBe(200);
    expect(bearer(sent.at(-1)!)).toBe("Bearer token-no-2");
  });

  it("new credentials are requested before they expire, with the refresh token of the last response, once", async () => {
    const refresh = { operation: "POST /refresh", body: { token: "/refresh_token" } };
    const { callers, transmit, get, sent, wait } = callersOf(expiringApi(99), {
      login: { ...login, refresh },
    });
    await callers.signIn(transmit);
    wait(80);
    await Promise.all([get("/v1/a"), get("/v1/b")]);
    wait(80);
    await get("/v1/c");
    const refreshes = sent.filter(({ url }) => url.endsWith("/refresh"));
    expect(refreshes.map(({ body }) => body)).toEqual([
      '{"token":"refresh-no-1"}',
      '{"token":"refresh-no-2"}',
    ]);
  });

  it("new credentials are requested with the cookies of the session, which some APIs keep the refresh token in", async () => {
    const refresh = { operation: "POST /refresh", body: {} };
    const { callers, transmit, get, sent, wait } = callersOf(
      () => ({
        headers: { "set-cookie": "refresh=refresh-no-1" },
        body: { token: "token-one", expires_in: 100 },
      }),
      { login: { ...login, refresh } },
    );
    await callers.signIn(transmit);
    wait(80);
    await get("/v1/me");
    expect(sent.find(({ url }) => url.endsWith("/refresh"))?.headers).toMatchObject({
      cookie: "refresh=refresh-no-1",
    });
  });

  it("new credentials are not requested again and again where an operation refuses the caller all the same", async () => {
    const { callers, transmit, get, sent } = callersOf(
      ({ method }) => (method === "POST" ? { body: { token: "token-one" } } : { status: 401 }),
      { login },
    );
    await callers.signIn(transmit);
    for (let time = 0; time < 10; time++) await get("/v1/never");
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  it("new credentials are not requested again for other ids of an operation that refuses the caller", async () => {
    const { callers, transmit, sent } = callersOf(
      ({ method }) => (method === "POST" ? { body: { token: "token-one" } } : { status: 401 }),
      { login },
    );
    await callers.signIn(transmit);
    for (const id of ["one", "two%27", "three"])
      await callers.exchange(
        { method: "GET", url: `https://api.example/v1/${id}` },
        transmit,
        "GET /v1/{id}",
      );
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  it("new credentials are not requested where an attempt with other credentials is refused", async () => {
    const { callers, transmit, sent } = callersOf(
      ({ url }) => (url.endsWith("/session") ? { body: { token: "token-one" } } : { status: 401 }),
      { login },
    );
    await callers.signIn(transmit);
    const form = { kind: "attempt", credentials: "wrong" } as const;
    await callers.exchange({ method: "POST", url: "https://api.example/v1/sign-in", form }, transmit);
    expect(sent.filter(({ url }) => url.endsWith("/session"))).toHaveLength(1);
  });

  it("new credentials are requested as long as a scan lasts, also where tokens live for seconds", async () => {
    const { callers, transmit, get, wait } = callersOf(expiringApi(1), { login });
    await callers.signIn(transmit);
    const statuses = new Set<number>();
    for (let time = 0; time < 200; time++) {
      statuses.add((await get("/v1/me")).status);
      wait(6);
    }
    expect([...statuses]).toEqual([200]);
  });

  it("new credentials are requested only so often in a time, where an API refuses whom it has signed in", async () => {
    const { callers, transmit, get, sent } = callersOf(
      ({ method }) => (method === "POST" ? { body: { token: "token-one" } } : { status: 401 }),
      { login },
    );
    await callers.signIn(transmit);
    for (let id = 0; id < 100; id++) await get(`/v1/${String.fromCharCode(97 + (id % 26)).repeat(id + 1)}`);
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(31);
  });

  it("new credentials that fail leave the 401 as the response", async () => {
    let signIns = 0;
    const { callers, transmit, get } = callersOf(
      ({ method }) =>
        method === "POST" && signIns++ === 0 ? { body: { token: "token-one" } } : { status: 401 },
      { login },
    );
    await callers.signIn(transmit);
    expect((await get("/v1/me")).status).toBe(401);
  });
});
