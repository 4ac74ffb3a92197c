import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNamespace, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { applySchedule, soon } from "./support/schedules.ts";
import { until } from "./support/until.ts";

const CHART = fileURLToPath(new URL("../../charts/glovebox", import.meta.url));
const NAME = "gb-glovebox-controller";
const folder = mkdtempSync(join(tmpdir(), "glovebox-rbac-"));

let fixture: Fixture;
let release: string;
let roles: string;
beforeAll(async () => {
  fixture = await startFixture();
  release = `${fixture.namespace}-release`;
  await createNamespace(release);
  roles = await rolesOfChart();
  await kubectl(["apply", "-f", "-"], roles);
});
afterAll(async () => {
  await fixture?.close();
  await kubectl(["delete", "--ignore-not-found", "--wait=false", "-f", "-"], roles);
  await kubectl(["delete", "namespace", release, "--wait=false"]);
  rmSync(folder, { recursive: true, force: true });
});

/** The service account and the roles of the controller, rendered from the chart. */
async function rolesOfChart(): Promise<string> {
  const values = [
    "image.registry=localhost",
    "evaluation=true",
    "scanNamespace.create=false",
    `scanNamespace.name=${fixture.namespace}`,
  ];
  const files = ["controller/rbac", "controller/cluster-rbac", "cluster/api-server-endpoints"].map(
    (name) => `templates/${name}.yaml`,
  );
  const { stdout } = await promisify(execFile)("helm", [
    ...["template", "gb", CHART, "-n", release],
    ...values.flatMap((value) => ["--set", value]),
    ...files.flatMap((file) => ["--show-only", file]),
  ]);
  return stdout;
}

/** KUBECONFIG with a token of that service account. */
async function kubeconfigOfController(): Promise<string> {
  const token = (await kubectl(["create", "token", NAME, "-n", release])).trim();
  const config = JSON.parse(await kubectl(["config", "view", "--minify", "--raw", "-o", "json"])) as {
    users: { name: string; user: object }[];
  };
  const users = config.users.map(({ name }) => ({ name, user: { token } }));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, JSON.stringify({ ...config, users }));
  return file;
}

test("the roles of the chart permit all that a scan needs, from its schedule and the creation of its Job to the deletion of the Scan", async () => {
  const controller = await fixture.startController({
    KUBECONFIG: await kubeconfigOfController(),
    POD_NAMESPACE: release,
    GLOVEBOX_LEASE_NAME: NAME,
    GLOVEBOX_SCAN_TTL_SECONDS: "10",
  });
  const scanTemplate = { spec: { url: `https://${HOST}/v1`, account: "default" } };
  await applySchedule(fixture.namespace, "nightly", {
    schedule: soon(),
    scanTemplate,
    successfulHistoryLimit: 0,
  });
  await fixture.applyScan("least-privilege");
  expect(await fixture.finished("least-privilege")).toMatchObject({ phase: "Completed", attempt: 1 });
  await fixture.cleanedUp();
  await until("the events of the report and of the schedule", async () => {
    const { items } = await getJson<{ items: { reason: string }[] }>("events", "-n", fixture.namespace);
    return ["ReportReceived", "ScanCreated"].every((one) => items.some(({ reason }) => reason === one));
  });
  await until("the deletion of the Scans", async () => {
    const names = await namesOf("scans.glovebox.dev", fixture.namespace);
    return names.length === 0;
  });
  expect(await controller.stop()).toBe(0);
  expect(controller.lines.filter((line) => /Forbidden|cannot be read/.test(line))).toEqual([]);
});
