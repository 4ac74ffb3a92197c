import { scanFailure, scanSchema, type Scan, type ScanOrder } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import type { RunEnding } from "../scanner/run-scanner.ts";
import { parseScanOptions, type RawScanOptions } from "./options.ts";
import { scanOnce } from "./scan-once.ts";

const HOSTS: Record<string, string[]> = {
  "api.example.com": ["8.8.8.8"],
  "api.corp": ["10.0.0.5"],
  localhost: ["127.0.0.1", "::1"],
  "metadata.google.internal": ["169.254.169.254"],
  "rebound.example.com": ["169.254.169.254"],
};

/** Nothing is sent: the scanner is a function that keeps its order. */
async function scan(url: string, raw: RawScanOptions = {}, ending: RunEnding = { how: "aborted" }) {
  const orders: ScanOrder[] = [];
  const result: Scan = await scanOnce(parseScanOptions(url, raw), {
    run: async ({ order }) => {
      orders.push(order);
      return ending;
    },
    lookup: async (host) => HOSTS[host] ?? Promise.reject(new Error("unknown")),
    now: () => new Date("2026-11-21T12:00:00Z"),
    onProgress: () => {},
    signal: new AbortController().signal,
    allow: [],
    extraCa: undefined,
  });
  return { result, orders };
}

describe("a scan without a service", () => {
  test.each([
    "https://127.0.0.1:8443/",
    "https://10.1.2.3/",
    "https://[::1]/",
    "https://[fd00::1]/",
    "https://localhost/",
    "https://api.corp:444/",
  ])("%s is refused, and with --allow-private scanned", async (url) => {
    const refused = await scan(url);
    expect(refused.result).toMatchObject({ status: "failed", error: { code: "egress_refused" } });
    expect(refused.orders).toEqual([]);
    expect((await scan(url, { allowPrivate: true })).orders).toHaveLength(1);
  });

  test.each([
    ["http://localhost:3000/", {}, [3000]],
    ["http://127.0.0.1/", {}, [80]],
    ["http://[::1]:8080/", {}, [8080]],
    ["http://10.1.2.3:81/", { allowPrivate: true }, [81]],
    ["http://api.corp/", { allowPrivate: true }, [80]],
  ])("%s is scanned over plain HTTP with %j", async (url, raw, ports) => {
    const { orders } = await scan(url, raw);
    expect(orders).toMatchObject([{ url, pins: [{ ports }] }]);
  });

  test.each([
    ["http://api.example.com/", {}, "http://api.example.com is refused: plain HTTP could be read"],
    ["http://api.example.com/", { allowPrivate: true }, "http://api.example.com is refused: plain HTTP"],
    ["http://10.1.2.3/", {}, "The host 10.1.2.3 is refused: private. --allow-private allows"],
    ["http://rebound.example.com/", { allowPrivate: true }, "The host rebound.example.com is refused"],
    [
      "http://localhost:3000/",
      { spec: "http://api.example.com/openapi.json" },
      "http://api.example.com is refused: plain HTTP",
    ],
  ])("%s is not scanned over plain HTTP with %j", async (url, raw, message) => {
    const { result, orders } = await scan(url, raw);
    expect(result).toMatchObject({ status: "failed", error: { code: "egress_refused" } });
    expect(result.status === "failed" && result.error.message).toContain(message);
    expect(orders).toEqual([]);
  });

  test("only a scan with --active has the mode active", async () => {
    expect((await scan("https://api.example.com/", { active: true })).orders).toMatchObject([
      { mode: "active" },
    ]);
    expect((await scan("https://api.example.com/")).orders[0]).not.toHaveProperty("mode");
  });

  test.each([
    "https://169.254.169.254/",
    "https://2852039166/",
    "https://[::ffff:169.254.169.254]/",
    "https://[fd00:ec2::254]/",
    "https://metadata.google.internal/",
    "https://rebound.example.com/",
  ])("the metadata service %s is refused even with --allow-private", async (url) => {
    const { result, orders } = await scan(url, { allowPrivate: true });
    expect(result).toMatchObject({ status: "failed", error: { code: "egress_refused" } });
    expect(orders).toEqual([]);
  });

  test.each<[RunEnding, string]>([
    [{ how: "crashed" }, "scanner_crashed"],
    [{ how: "lost" }, "result_lost"],
    [{ how: "malformed", detail: "It does not match the schema of a report." }, "report_malformed"],
    [{ how: "overran" }, "deadline_exceeded"],
    [{ how: "aborted" }, "cancelled"],
    [{ how: "delivered", outcome: { status: "failed", failure: scanFailure("tls_failure") } }, "tls_failure"],
  ])("a run that ended as %o is a failed Scan of the contract: %s", async (ending, code) => {
    const { result } = await scan("https://api.example.com/", {}, ending);
    expect(scanSchema.parse(result)).toMatchObject({ status: "failed", error: { code } });
  });

  test("the order carries what the options say, and nothing else", async () => {
    const raw = {
      spec: "https://api.example.com/spec",
      context: "medical",
      maxRequests: "50",
      maxRequestsPerOperation: "180",
      timeout: "60",
      header: ["X-Api-Key: k"],
      include: ["/orders/**"],
      exclude: ["DELETE", "tag:billing"],
    };
    const { orders } = await scan("https://api.example.com/v1", raw);
    expect(orders).toEqual([
      {
        scanId: expect.stringMatching(/^scan-/),
        url: "https://api.example.com/v1",
        spec: { from: "url", url: "https://api.example.com/spec" },
        needsSpec: true,
        context: "medical",
        identities: [{ name: "default", role: "user", headers: { "X-Api-Key": "k" } }],
        include: ["/orders/**"],
        exclude: ["DELETE", "tag:billing"],
        pins: [{ host: "api.example.com", addresses: ["8.8.8.8"], ports: [443, 80] }],
        limits: { deadlineSeconds: 60, maxRequests: 50, maxRequestsPerOperation: 180 },
      },
    ]);
  });
});
