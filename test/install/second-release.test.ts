import { afterAll, beforeAll, expect, test } from "vitest";
import type { Manifest } from "../chart/helm.ts";
import { getJson, kubectl } from "../cluster/support/kubectl.ts";
import { prepareInstallation, type Installation } from "./support/installation.ts";
import { shell } from "./support/shell.ts";
import { startTarget, type InstallTarget } from "./support/target.ts";

/** A second release of the same name, in its own namespace. */
const SECOND = "glovebox-second";
const NO_PODS = "api.replicas=0,controller.replicas=0"; // only the objects of the releases are tested

let target: InstallTarget;
let installation: Installation;
const helm = (command: string, namespace: string): Promise<string> =>
  shell([
    `helm ${command} glovebox charts/glovebox --namespace ${namespace} --create-namespace ${installation.values} \
      --set evaluation=true,priorityClasses.create=true,flowControl.enabled=true,${NO_PODS}`,
  ]);
const crd = (path: string): Promise<string> =>
  kubectl(["get", "crd", "scans.glovebox.dev", `--output=jsonpath={${path}}`]);
const scanNamespaces = async (): Promise<string[]> =>
  (await kubectl(["get", "namespaces", "--output=name"]))
    .split("\n")
    .map((name) => name.replace("namespace/", ""))
    .filter((name) => name.startsWith("glovebox-scans"));

/** Removes a field of the status from the resource definition, as if an older release had created it. */
async function removeField(field: string): Promise<void> {
  const live = await getJson<Manifest>("crd", "scans.glovebox.dev");
  const { apiVersion, kind, spec } = live;
  const { name, labels, annotations } = live["metadata"];
  delete spec.versions[0].schema.openAPIV3Schema.properties.status.properties[field];
  const older = JSON.stringify({ apiVersion, kind, metadata: { name, labels, annotations }, spec });
  await kubectl(["apply", "--server-side", "--force-conflicts", "--field-manager=helm", "-f", "-"], older);
}

beforeAll(async () => {
  target = await startTarget();
  installation = await prepareInstallation(target);
  await helm("install", "glovebox");
});
afterAll(async () => {
  await shell([`helm uninstall glovebox --namespace ${SECOND} --ignore-not-found --wait --timeout 3m`]);
  await kubectl(["delete", "namespace", SECOND, "--ignore-not-found"]);
  await installation?.remove();
  await target?.remove();
});

test("a second release of the same name in another namespace uses the resource definition of the first, and its notes say so", async () => {
  const before = await crd(".metadata.resourceVersion");
  const notes = await helm("install", SECOND);
  expect(notes).toContain(
    "scans.glovebox.dev existed already, created by the release glovebox in the namespace glovebox",
  );
  expect(await crd(".metadata.resourceVersion")).toBe(before);
  const [own, other] = await scanNamespaces();
  expect([own, other]).toEqual(["glovebox-scans", expect.stringMatching(/^glovebox-scans-[0-9a-f]{8}$/)]);
  expect(notes).toContain(`Apply Scans in the namespace ${other}`);
});

test("an upgrade of either release keeps both scan namespaces, and the definition still belongs to the first", async () => {
  const before = await scanNamespaces();
  await helm("upgrade", SECOND);
  expect(await helm("upgrade", "glovebox")).not.toContain("existed already");
  expect(await scanNamespaces()).toEqual(before);
  expect(await crd(".metadata.annotations.meta\\.helm\\.sh/release-namespace")).toBe("glovebox");
});

test("an upgrade fails with a reason when the resource definition is older than it needs", async () => {
  await removeField("scanId");
  await expect(helm("upgrade", SECOND)).rejects.toThrow(
    /created by the release glovebox in the namespace glovebox \(glovebox-.*\), is older .* it has no status\.scanId/,
  );
  await helm("upgrade", "glovebox"); // updates the definition
  await helm("upgrade", SECOND);
});

test("an uninstall of the second release keeps the objects of the first and the definition", async () => {
  await shell([`helm uninstall glovebox --namespace ${SECOND} --wait --timeout 3m`]);
  expect(await crd(".metadata.name")).toBe("scans.glovebox.dev");
  for (const object of ["priorityclass/glovebox-scan.glovebox", "namespace/glovebox-scans"])
    expect(await kubectl(["get", object, "--output=name"])).toContain(object.split("/")[1]);
});
