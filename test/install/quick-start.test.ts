import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubectl } from "../cluster/support/kubectl.ts";
import { until } from "../cluster/support/until.ts";
import { EVERYTHING, render } from "../chart/helm.ts";
import {
  allObjects,
  requestApi,
  endedScan,
  prepareInstallation,
  scanRequest,
  type EndedScan,
  type Installation,
} from "./support/installation.ts";
import { kubernetesCommands, shell } from "./support/shell.ts";
import { startTarget, type InstallTarget } from "./support/target.ts";

const [INSTALL, SCAN] = kubernetesCommands() as [string[], string[]];
/** Not run here: the cluster has the images, and is not kind. */
const ONLY_ON_KIND = /^(npm run images|kind |for image in )/;
const EXAMPLE_HOST = "api.shop.example";

let target: InstallTarget;
let installation: Installation;
let before: Set<string>;

beforeAll(async () => {
  target = await startTarget();
  installation = await prepareInstallation(target);
  before = await allObjects();
});
afterAll(async () => {
  await installation?.remove();
  await target?.remove();
});

/** A command of the README with the values and the target host of this cluster. */
const adapted = (command: string): string =>
  command
    .replace(/ --wait$/, ` ${installation.values} --wait --timeout 5m`)
    .replace(
      "kubectl apply -f k8s/examples/scan.yaml",
      `sed 's/${EXAMPLE_HOST}/${target.host}/' k8s/examples/scan.yaml | kubectl apply -f -`,
    )
    .replaceAll(EXAMPLE_HOST, target.host)
    .replaceAll("8080", "18080");

describe("the README's quick start on Kubernetes", () => {
  test("installs, prints the next steps, and `helm test` passes", async () => {
    const commands = INSTALL.filter((command) => !ONLY_ON_KIND.test(command)).map(adapted);
    expect(commands.length).toBe(2);
    const output = await shell(commands);
    expect(output).toContain("get secret glovebox-first-key");
    for (const name of ["open", "sealed", "api"])
      expect(output).toMatch(new RegExp(`glovebox-test-${name}\\n(.*\\n){2}Phase: +Succeeded`));
    const isolated = await kubectl(["logs", "glovebox-test-sealed", "--namespace", "glovebox-scans"]);
    expect(isolated).toMatch(/^An isolated pod (can|cannot) reach its node's kubelet \(.+:10250\)\.$/m);
    process.stdout.write(`${isolated}\n`);
  });

  test("submits a scan with the first API key, which completes with findings", async () => {
    const output = await shell(SCAN.filter((command) => !/apply|get scans/.test(command)).map(adapted));
    const scan = JSON.parse(output) as EndedScan;
    const ended = await endedScan(scan.id);
    expect(ended).toMatchObject({ status: "completed" });
    expect(ended.findings.length).toBeGreaterThan(0);
  });

  test("applies a Scan, for which kubectl shows phase, reason, score, grade, findings and target", async () => {
    await shell(SCAN.filter((command) => command.includes("apply")).map(adapted));
    const show = SCAN.filter((command) => command.includes("get scans")).map(adapted);
    const row = await until("the end of the scan of the example", async () => {
      const shown = await shell(show);
      return shown.split("\n").find((line) => /^shop +(Completed|Failed)/.test(line));
    });
    expect(row).toMatch(/^shop +Completed +ReportReceived +\d+ +[A-F] +\d+ +https:/);
  });
});

describe("an evaluation whose PostgreSQL is replaced", () => {
  test("an evaluation whose PostgreSQL is replaced is migrated again, accepts its first API key, and completes new scans", async () => {
    await kubectl([
      "delete",
      "pod",
      "--namespace",
      "glovebox",
      "--selector",
      "app.kubernetes.io/name=glovebox-postgres",
    ]);
    await kubectl([
      "rollout",
      "status",
      "deployment/glovebox-postgres",
      "--namespace",
      "glovebox",
      "--timeout=3m",
    ]);
    const scan = await until("a scan in the new database", async () => {
      const options = scanRequest(target);
      const { id } = await requestApi<Partial<EndedScan>>("/v1/scan", { options });
      return id !== undefined && { id };
    });
    expect(await endedScan(scan.id)).toMatchObject({ status: "completed" });
  });
});

describe("the API server", () => {
  test("accepts every manifest of the chart with all features enabled", async () => {
    const known = await kubectl(["api-resources", "--output=name", "--no-headers"]);
    const external = /monitoring\.coreos\.com|gateway\.networking\.k8s\.io/;
    const manifests = render(EVERYTHING).filter(
      ({ apiVersion }) => !external.test(apiVersion) || known.includes(apiVersion.split("/")[0]),
    );
    expect(manifests.length).toBeGreaterThan(30);
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: manifests });
    // The pods of `helm test` cannot be changed.
    await kubectl(["delete", "pods", "-A", "--field-selector=status.phase=Succeeded"]);
    const checked = await kubectl(
      ["apply", "--dry-run=server", "--server-side", "--force-conflicts", "--validate=strict", "-f", "-"],
      list,
    );
    expect(checked.trim().split("\n")).toHaveLength(manifests.length);
  });
});

describe("helm uninstall", () => {
  test("deletes everything but the resource definitions", async () => {
    await shell(["helm uninstall glovebox --namespace glovebox --wait --timeout 3m"]);
    await until("the deletion of the scan namespace", async () => {
      const names = await kubectl(["get", "namespaces", "--output=name"]);
      return !names.includes("glovebox-scans");
    });
    await kubectl(["delete", "namespace", "glovebox"]); // created by --create-namespace, not deleted by helm
    const left = [...(await allObjects())].filter((object) => !before.has(object));
    expect(left.toSorted()).toEqual([
      "<none>/APIService/v1alpha1.glovebox.dev", // created by the API server for the resource definition
      "<none>/CustomResourceDefinition/scans.glovebox.dev",
      "<none>/CustomResourceDefinition/scanschedules.glovebox.dev",
    ]);
  });
});
