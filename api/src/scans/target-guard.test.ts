import { createEgressPolicy, type Lookup } from "@glovebox/egress";
import { afterEach, expect, test, vi } from "vitest";
import { createTargetGuard } from "./target-guard.ts";

afterEach(() => {
  vi.useRealTimers();
});

const guard = (lookup: Lookup) => createTargetGuard({ policy: createEgressPolicy(), lookup });
const never: Lookup = () => Promise.reject(new Error("not to be asked"));

test.each([
  "https://127.0.0.1/",
  "https://localhost/",
  "https://0x7f.1/",
  "https://[fe80::1]/",
  "https://db.internal/",
])("%s is refused without a look-up", async (url) => {
  await expect(guard(never)("url", new URL(url))).rejects.toMatchObject({
    code: "invalid_url",
    message: expect.stringMatching(/^url: /),
  });
});

test("a public address is let through without a look-up", async () => {
  await expect(guard(never)("url", new URL("https://93.184.215.14/"))).resolves.toBeUndefined();
});

test("a name is refused when one of its addresses is, and the message names no address", async () => {
  const refusal = guard(async () => ["93.184.215.14", "10.1.2.3"])(
    "specUrl",
    new URL("https://example.com/"),
  );
  await expect(refusal).rejects.toMatchObject({ code: "invalid_url" });
  await expect(refusal).rejects.toThrow(/^specUrl: (?!.*10\.1\.2\.3).*example\.com/);
});

test("a name that does not resolve is let through: its scan will say so", async () => {
  const failing: Lookup = () => Promise.reject(new Error("ENOTFOUND"));
  await expect(guard(failing)("url", new URL("https://example.com/"))).resolves.toBeUndefined();
});

test("a look-up that takes more than two seconds is not waited for", async () => {
  vi.useFakeTimers();
  const judged = guard(() => new Promise(() => undefined))("url", new URL("https://example.com/"));
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(judged).resolves.toBeUndefined();
});
