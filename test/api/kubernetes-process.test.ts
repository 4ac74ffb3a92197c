import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { newApiKey } from "@glovebox/store";
import { bareDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { FakeCluster } from "../../api/src/kubernetes/testing/fake-cluster.ts";
import { kubeconfigOf } from "../support/kubeconfig.ts";

const PROGRAM = fileURLToPath(new URL("../../api/src/main.ts", import.meta.url));
const key = newApiKey();

let folder: string;
let kube: FakeCluster;
let database: Awaited<ReturnType<typeof bareDatabase>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "glovebox-api-"));
  kube = await FakeCluster.start();
  database = await bareDatabase(inject("databaseUrl"));
  writeFileSync(join(folder, "kubeconfig"), await kubeconfig());
  const accounts = [{ name: "shop", plan: "enterprise", keys: [{ name: "first", key }] }];
  writeFileSync(join(folder, "accounts.yaml"), JSON.stringify({ accounts }));
});
afterAll(async () => {
  await database.drop();
  await kube[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function kubeconfig(): Promise<string> {
  const { server, credentials } = kube.connection;
  const { ca, token } = await credentials();
  const authority = Buffer.from(ca!).toString("base64");
  return kubeconfigOf({ server: server.href, "certificate-authority-data": authority }, { token });
}

function start(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ["--conditions=source", PROGRAM, ...args], {
    env: {
      DATABASE_URL: database.url,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_NAMESPACE: "scans",
      GLOVEBOX_ACCOUNTS_FILE: join(folder, "accounts.yaml"),
      GLOVEBOX_EGRESS_ALLOW: "127.0.0.1:8443",
      KUBECONFIG: join(folder, "kubeconfig"),
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function readyUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stderr!)) {
    const { msg, url } = JSON.parse(line) as { msg: string; url: string };
    if (msg === "ready") return url;
  }
  throw new Error("The API ended before it was ready");
}

async function outcomeOf(child: ChildProcess): Promise<{ code: number; stderr: string }> {
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, "close")]);
  return { stderr, code: code as number };
}

describe("the API on Kubernetes", () => {
  test("`migrate` migrates the database; `serve` creates a Scan resource for a POST and exits with 0 on SIGTERM", async () => {
    expect(await outcomeOf(start(["migrate"]))).toEqual({
      code: 0,
      stderr: "glovebox-api: the database is up to date\n",
    });

    const child = start([]);
    const url = await readyUrl(child);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const response = await fetch(`${url}/v1/scan`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Prefer: "respond-async",
      },
      body: JSON.stringify({ url: "https://127.0.0.1:8443/" }),
    });
    const { id } = (await response.json()) as { id: string };
    expect(kube.scans.get(id)?.spec).toEqual({ url: "https://127.0.0.1:8443/", account: "shop" });

    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test("exits immediately on a second SIGTERM, even with an open request", async () => {
    const child = start([]);
    const { hostname, port } = new URL(await readyUrl(child));
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    // An incomplete request: a graceful shutdown waits for its body.
    socket.write("POST /v1/scan HTTP/1.1\r\nHost: api\r\nContent-Type: application/json\r\n");
    socket.write(`Authorization: Bearer ${key}\r\nContent-Length: 10\r\n\r\n{`);
    const ended = once(child, "close");
    const again = setInterval(() => child.kill("SIGTERM"), 300);
    expect(await ended).toEqual([1, null]);
    clearInterval(again);
    socket.destroy();
  });

  test.each<[string, string[], Record<string, string>, string]>([
    ["an unknown command", ["migrat"], {}, "usage: api.mjs [serve | migrate]"],
    [
      "no database",
      [],
      { DATABASE_URL: "" },
      "DATABASE_URL: must be a URL that starts with postgres:// or postgresql://",
    ],
    [
      "no cluster",
      [],
      { KUBECONFIG: "" },
      "KUBERNETES_SERVICE_HOST: is not set; set KUBECONFIG outside a pod",
    ],
    [
      "a missing accounts file",
      [],
      { GLOVEBOX_ACCOUNTS_FILE: "/no/such/file" },
      "GLOVEBOX_ACCOUNTS_FILE: /no/such/file: cannot be read (ENOENT)",
    ],
  ])(
    "the API on Kubernetes with %s exits with 2 and one line with the reason",
    async (_, args, environment, line) => {
      expect(await outcomeOf(start(args, environment))).toEqual({
        code: 2,
        stderr: `glovebox-api: ${line}\n`,
      });
    },
  );
});
