import { afterAll, beforeAll, expect, test } from "vitest";
import type { ScanResource } from "@glovebox/k8s";
import { getJson, kubectl } from "../cluster/support/kubectl.ts";
import { until } from "../cluster/support/until.ts";
import { read } from "../docs/repository.ts";
import { prepareInstallation, type Installation } from "./support/installation.ts";
import { shell } from "./support/shell.ts";
import { startTarget, type InstallTarget } from "./support/target.ts";

const EXAMPLE = read("k8s/examples/nightly-scan.yaml");
/** The image of `npm run images -- kubectl`, if the nodes cannot pull the image of the example. */
const { GLOVEBOX_TEST_KUBECTL_IMAGE: image } = process.env;

let target: InstallTarget;
let installation: Installation;

beforeAll(async () => {
  target = await startTarget();
  installation = await prepareInstallation(target);
  await shell([
    `helm install glovebox charts/glovebox --namespace glovebox --create-namespace --set evaluation=true \
      ${installation.values} --wait --timeout 5m`,
  ]);
});
afterAll(async () => {
  await installation?.remove();
  await target?.remove();
});

test("the example of a nightly scan creates a Scan that completes", async () => {
  const example = EXAMPLE.replaceAll("api.shop.example", target.host);
  await kubectl(["apply", "-f", "-"], image ? example.replace(/image: .*/, `image: ${image}`) : example);
  await kubectl(["create", "job", "nightly-scan-now", "--from=cronjob/nightly-scan", "--namespace=glovebox"]);
  await kubectl([
    "wait",
    "job/nightly-scan-now",
    "--namespace=glovebox",
    "--for=condition=Complete",
    "--timeout=180s",
  ]);
  const ended = await until("the end of the nightly scan", async () => {
    const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", "glovebox-scans");
    return items.find(({ status }) => status?.finishedAt !== undefined);
  });
  expect(ended.metadata.name).toMatch(/^shop-nightly-/);
  expect(ended.status).toMatchObject({ phase: "Completed" });
});
