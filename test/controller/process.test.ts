import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { FakeKubeApiserver } from "@glovebox/kube/testing";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { CuttableProxy } from "../../api/src/testing/cuttable-proxy.ts";
import { kubeconfigOf } from "../support/kubeconfig.ts";

const PROGRAM = fileURLToPath(new URL("../../controller/src/main.ts", import.meta.url));
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/scans/leases";
const SCANS = "/apis/glovebox.dev/v1alpha1/namespaces/scans/scans";

let folder: string;
let kube: FakeKubeApiserver;
let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "glovebox-controller-"));
  kube = await FakeKubeApiserver.start();
  kube.collection("/api/v1/namespaces").create({ metadata: { name: "scans" } } as never);
  database = await freshDatabase(inject("databaseUrl"));
  const cluster = { server: kube.url, "insecure-skip-tls-verify": true };
  writeFileSync(join(folder, "kubeconfig"), kubeconfigOf(cluster, { token: "t" }));
});
afterAll(async () => {
  await database.drop();
  await kube[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const start = (environment: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, ["--conditions=source", PROGRAM], {
    env: {
      DATABASE_URL: database.url,
      KUBECONFIG: join(folder, "kubeconfig"),
      GLOVEBOX_NAMESPACE: "scans",
      POD_IP: "127.0.0.1",
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_CANARIES: "127.0.0.1:1",
      SCANNER_IMAGE: "scanner:1",
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });

/** Waits for the first log line with this message. */
async function logged(child: ChildProcess, message: string): Promise<Record<string, unknown>> {
  for await (const line of createInterface(child.stderr!)) {
    if (!line.startsWith("{")) throw new Error(line);
    const entry = JSON.parse(line) as Record<string, unknown>;
    if (entry["msg"] === message) return entry;
  }
  throw new Error(`The controller exited without the log message: ${message}`);
}

const holder = () => (kube.collection(LEASE).get("glovebox-controller")["spec"] as Spec).holderIdentity;

describe("the controller", () => {
  test("becomes leader, and on SIGTERM releases its Lease and exits with 0", async () => {
    const child = start();
    const { identity } = await logged(child, "elected as leader");
    expect(holder()).toBe(identity);
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(holder()).toBeUndefined();
  });

  test("waits for an unreachable database, and exits with 0 on SIGTERM meanwhile", async () => {
    const child = start({ DATABASE_URL: "postgres://user@127.0.0.1:1/none" });
    await logged(child, "database is unreachable, retrying");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  // It would exit with 1 if the whole shutdown took too long.
  test("the controller whose database stops responding releases its Lease and exits with 0 on SIGTERM", async () => {
    await using proxy = await CuttableProxy.before(database.url);
    const child = start({ DATABASE_URL: proxy.url });
    const { port } = await logged(child, "ready");
    const scans = kube.collection(SCANS);
    const scan = { spec: { url: "https://a.example" } };
    // Opens a connection of its pool. This Scan is rejected because it names no account.
    scans.create({ metadata: { name: "before" }, ...scan } as never);
    await expect.poll(() => scans.get("before")["status"]).toMatchObject({ phase: "Failed" });
    proxy.fallSilent();
    scans.create({ metadata: { name: "s" }, ...scan } as never);
    const metrics = async () => (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^glovebox_controller_queue_depth 1$/m); // it is being reconciled
    child.kill("SIGTERM");
    expect(await logged(child, "stopped")).toMatchObject({ step: "work", how: "overdue" });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(holder()).toBeUndefined();
  });

  test("the controller whose API server hangs exits with 0 on SIGTERM, and its Lease expires later", async () => {
    const child = start();
    const { identity } = await logged(child, "elected as leader");
    kube.fail({ times: Infinity, matches: () => hangs, act: () => undefined });
    let hangs = true;
    kube.watches.end();
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
    hangs = false;
    expect(holder()).toBe(identity);
    kube.collection(LEASE).delete("glovebox-controller");
  });

  test("exits immediately on a second signal", async () => {
    const child = start();
    await logged(child, "elected as leader");
    kube.fail({ times: Infinity, matches: () => child.exitCode === null, act: () => undefined });
    child.kill("SIGTERM");
    await logged(child, "stopping");
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([1, null]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "no scanner",
      { SCANNER_IMAGE: "" },
      "SCANNER_IMAGE: must be set, or the image in the file of GLOVEBOX_SCANNER_FILE",
    ],
    ["no cluster", { KUBECONFIG: "" }, "KUBERNETES_SERVICE_HOST: is not set; set KUBECONFIG outside a pod"],
    ["a missing kubeconfig", { KUBECONFIG: "/no/such/file" }, "KUBECONFIG: cannot be read"],
  ])("the controller with %s exits with 2 and one line with the reason", async (_, environment, line) => {
    const child = start(environment);
    const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, "close")]);
    expect([code, stderr]).toEqual([2, `glovebox-controller: ${line}\n`]);
  });
});

interface Spec {
  readonly holderIdentity?: string;
}
