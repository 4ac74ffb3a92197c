import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, newApiKey } from "@glovebox/store";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Manifest } from "../chart/helm.ts";
import { launchChromium } from "../browser/chromium.ts";
import { kubectl } from "../cluster/support/kubectl.ts";
import { requestApi, endedScan, prepareInstallation, type Installation } from "./support/installation.ts";
import { shell } from "./support/shell.ts";
import { startStores, type Stores } from "./support/stores.ts";
import { startTarget, type InstallTarget } from "./support/target.ts";

/** The API through the port-forward: browsers accept the session's cookie from localhost without TLS. */
const PUBLIC_URL = "http://localhost:18081";
const VALUES = {
  api: { publicUrl: PUBLIC_URL },
  postgres: { existingSecret: "glovebox-database" },
  redis: { existingSecret: "glovebox-cache" },
  accounts: { existingSecret: "glovebox-accounts" },
};
const HELM_OPTIONS = "--namespace glovebox --set image.tag=dev --wait --timeout 5m";

const key = newApiKey();
const folder = mkdtempSync(join(tmpdir(), "glovebox-production-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

let target: InstallTarget;
let installation: Installation;
let stores: Stores;

const scan = async () => {
  const body = JSON.stringify({ url: `https://${target.host}/v1` });
  const { id } = await requestApi<{ id: string }>("/v1/scan", { key, options: `--json '${body}'` });
  return endedScan(id, key);
};

beforeAll(async () => {
  target = await startTarget();
  installation = await prepareInstallation(target);
  stores = await startStores(clusterValues());
  const accounts = `accounts:\n  - name: team\n    plan: pro\n    keys: [{ name: ci, sha256: ${hashApiKey(key)} }]\n`;
  const secret = "kubectl --namespace glovebox create secret generic";
  await shell([
    "kubectl create namespace glovebox",
    `${secret} glovebox-database --from-file=url=${file("database", stores.databaseUrl)}`,
    `${secret} glovebox-cache --from-file=url=${file("cache", stores.cacheUrl)}`,
    `${secret} glovebox-accounts --from-file=accounts.yaml=${file("accounts", accounts)}`,
    `helm install glovebox charts/glovebox ${HELM_OPTIONS} ${installation.values} \
      --values ${file("values.json", JSON.stringify(VALUES))}`,
  ]);
});
afterAll(async () => {
  await installation?.remove();
  await stores?.remove();
  await target?.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe("an installation with external databases", () => {
  test("migrates the database before its pods start, and completes a scan", async () => {
    expect(await scan()).toMatchObject({ status: "completed" });
  });

  test("runs two replicas of the API, and its manifests contain no passwords", async () => {
    const ready = await kubectl([
      "get",
      "deploy",
      "glovebox-api",
      "-n",
      "glovebox",
      "-o",
      "jsonpath={.status.readyReplicas}",
    ]);
    expect(ready).toBe("2");
    const manifest = await shell(["helm get manifest glovebox --namespace glovebox"]);
    expect(manifest).not.toContain(new URL(stores.databaseUrl).password);
    expect(manifest).not.toContain(new URL(stores.cacheUrl).password);
  });

  test("shows the link of the first administrator, who starts a scan in a browser, which completes", async () => {
    const notes = await shell(["helm get notes glovebox --namespace glovebox"]);
    const command = notes.split("\n").find((line) => line.includes("/invitation/"))!;
    const link = (await shell([command.trim()])).trim();
    expect(link).toMatch(new RegExp(`^${PUBLIC_URL}/invitation/\\w{43}$`));
    await using _ = await portForward();
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ baseURL: PUBLIC_URL });
      await page.goto(link);
      await page.getByLabel("E-mail address").fill("ada@example.com");
      await page.getByLabel("Your name").fill("Ada Lovelace");
      await page.getByLabel("Password").fill("correct horse battery");
      await page.getByRole("button", { name: "Accept" }).click();
      await page.getByLabel("Account").selectOption("team"); // the administrator is a member of none
      await page.getByRole("option", { name: "Choose an account" }).waitFor({ state: "detached" });
      await page.goto("/scans/new");
      await page.getByLabel("URL of the API").fill(`https://${target.host}/v1`);
      await page.getByRole("button", { name: "Start the scan" }).click();
      await page.getByRole("heading", { name: "What was tested" }).waitFor({ timeout: 180_000 });
    } finally {
      await browser.close();
    }
    expect(await requestApi("/v1/scans?limit=1", { key })).toMatchObject({
      scans: [{ status: "completed" }],
    });
  });

  test("completes scans during and after an upgrade", async () => {
    const during = scan();
    await shell([
      `helm upgrade glovebox charts/glovebox ${HELM_OPTIONS} ${installation.values} \
        --values ${join(folder, "values.json")} --set api.podAnnotations.round=two --set controller.podAnnotations.round=two`,
    ]);
    expect(await during).toMatchObject({ status: "completed" });
    expect(await scan()).toMatchObject({ status: "completed" });
  });
});

async function portForward(): Promise<AsyncDisposable> {
  const { port } = new URL(PUBLIC_URL);
  const child = spawn("kubectl", [
    ...["--namespace", "glovebox", "port-forward", "service/glovebox-api", `${port}:80`],
  ]);
  await once(child.stdout, "data");
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "close");
    },
  };
}

function clusterValues(): Manifest {
  const { GLOVEBOX_TEST_VALUES: path } = process.env;
  return path ? (load(readFileSync(path, "utf8")) as Manifest) : {};
}
