import { createEgressPolicy, type Lookup } from "@glovebox/egress";
import { expect, test } from "vitest";
import { createTargetGuard } from "./target-guard.ts";

const guard = createTargetGuard(createEgressPolicy());
const example = { url: "https://example.com/" };

test.each([
  "https://127.0.0.1/",
  "https://localhost/",
  "https://0x7f.1/",
  "https://[fe80::1]/",
  "https://db.internal/",
])("%s is refused without a look-up, also as the address of a document", (url) => {
  expect(() => guard.judge({ ...example, url })).toThrow(/^url: /);
  expect(() => guard.judge({ ...example, specUrl: url })).toThrow(/^specUrl: /);
});

test("a public address needs no look-up, and a name does", () => {
  const url = "https://93.184.215.14/";
  expect(guard.judge({ url })).toBe("allowed");
  expect(guard.judge({ url, specUrl: example.url })).toBe("lookUp");
  expect(guard.judge(example)).toBe("lookUp");
});

test("a name is refused when one of its addresses is, and the message names no address", async () => {
  const found: Record<string, string[]> = { "example.org": ["93.184.215.14", "10.1.2.3"] };
  const lookup: Lookup = async (host) => found[host] ?? ["93.184.215.14"];
  const refusal = guard.lookUp({ ...example, specUrl: "https://example.org/" }, lookup);
  await expect(refusal).rejects.toMatchObject({ code: "invalid_url" });
  await expect(refusal).rejects.toThrow(/^specUrl: (?!.*10\.1\.2\.3).*example\.org/);
});

test("a name that does not resolve is let through: its scan will say so", async () => {
  await expect(guard.lookUp(example, async () => [])).resolves.toBeUndefined();
});

test("a look-up that is refused lets nothing through", async () => {
  const refused: Lookup = () => Promise.reject(new Error("too many"));
  await expect(guard.lookUp(example, refused)).rejects.toThrow("too many");
});

test("an address beside a name is not looked up", async () => {
  const asked: string[] = [];
  const lookup: Lookup = async (host) => [asked.push(host) ? "93.184.215.14" : ""];
  await guard.lookUp({ ...example, specUrl: "https://93.184.215.14/" }, lookup);
  expect(asked).toEqual(["example.com"]);
});
