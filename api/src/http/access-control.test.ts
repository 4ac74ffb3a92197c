import { expect, test } from "vitest";
import { memoryCounter } from "../limits/rate-counter.ts";
import { bearerToken, createAccessControl, type AccessControlDeps } from "./access-control.ts";
import type { ApiRequest, RequestContext } from "./request-context.ts";

const rows: readonly (readonly [string | undefined, string | undefined])[] = [
  ["Bearer abc", "abc"],
  ["bearer abc", "abc"],
  ["BEARER   abc  ", "abc"],
  ["Bearer a.b~c+d/e-f_g==", "a.b~c+d/e-f_g=="],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearerabc", undefined],
  ["Bearer a b", undefined],
  ["Bearer a,b", undefined],
  ["Basic abc", undefined],
  ["", undefined],
  [undefined, undefined],
];
test.each(rows)("%j carries the token %j", (header, token) => {
  expect(bearerToken(header)).toBe(token);
});

test.each([
  ["/admin/trpc/session.me", { cookie: "__Host-glovebox=token" }],
  ["/v1/scans", { authorization: "Bearer key" }],
])(
  "requests for %s that the database cannot judge count against the limit of their address",
  async (path, headers) => {
    const unavailable = () => Promise.reject(new Error("The database is gone."));
    const admit = createAccessControl({
      operations: [],
      apiKeys: { principalOf: unavailable } as unknown as AccessControlDeps["apiKeys"],
      sessionOf: unavailable,
      lastUsed: { add: () => undefined },
      counter: memoryCounter(),
      callsIn: () => 1,
      addressLimit: 2,
      now: () => new Date(),
    });
    const ask = () =>
      admit({ path, headers, ip: "192.0.2.1" } as unknown as ApiRequest, {} as RequestContext);
    await expect(ask()).rejects.toThrow("The database is gone.");
    await expect(ask()).rejects.toThrow("The database is gone.");
    await expect(ask()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  },
);
