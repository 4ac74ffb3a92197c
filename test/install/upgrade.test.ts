import { globSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubectl } from "../cluster/support/kubectl.ts";
import {
  askApi,
  endedScan,
  firstKey,
  prepareInstallation,
  type Installation,
} from "./support/installation.ts";
import { shell } from "./support/shell.ts";
import { startTarget, type InstallTarget } from "./support/target.ts";

const RELEASED = fileURLToPath(new URL("released", import.meta.url));
const HELM_OPTIONS = "--namespace glovebox --set evaluation=true --set image.tag=dev --wait --timeout 5m";

interface Manifest {
  readonly kind: string;
  readonly roleRef?: { readonly name: string };
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

async function rendered(chart: string, values: string): Promise<Manifest[]> {
  const text = await shell([`helm template glovebox ${chart} ${HELM_OPTIONS} ${values}`]);
  const all = loadAll(text) as (Manifest | null)[];
  return all.filter(
    (one) => one !== null && one.metadata.annotations?.["helm.sh/hook"] === undefined,
  ) as Manifest[];
}

const nameOf = ({ kind, metadata: { namespace = "", name } }: Manifest): string =>
  `${kind} ${namespace}/${name}`;

const another = <Named extends { readonly name: string }>(named: Named): Named => ({
  ...named,
  name: `${named.name}-present`,
});

/** Rights add up: what a role of the previous chart lacks, one beside it gives. */
const underAnotherName = ({ roleRef, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  metadata: another(manifest.metadata),
  ...(roleRef && { roleRef: another(roleRef) }),
});

/**
 * Values for the previous chart, whose images are the present ones here: what these ask for and that chart did not have
 * yet. The upgrade then takes these objects over.
 */
async function valuesForPresentImages(previous: string, values: string): Promise<string> {
  const known = new Set((await rendered(previous, values)).map(nameOf));
  const present = await rendered("charts/glovebox", values);
  const rights = present.filter(({ kind }) => /^(Cluster)?Role(Binding)?$/.test(kind)).map(underAnotherName);
  const added = [...present.filter((one) => !known.has(nameOf(one))), ...rights];
  const podIps = { name: "POD_IPS", valueFrom: { fieldRef: { fieldPath: "status.podIPs" } } };
  const canaries = { name: "GLOVEBOX_CANARIES", value: "glovebox-canary:8099" };
  const file = join(mkdtempSync(join(tmpdir(), "glovebox-upgrade-")), "values.json");
  const more = {
    controller: { extraEnv: [podIps, canaries] },
    networkPolicy: { enabled: false },
    extraObjects: added,
  };
  writeFileSync(file, JSON.stringify(more));
  return `${values} --values ${file}`;
}

let target: InstallTarget;
let installation: Installation;
let key: string;
let early: string;
let underWay: string;

const post = async (): Promise<string> => {
  const body = JSON.stringify({
    url: `https://${target.host}/v1`,
    specUrl: `https://${target.host}/openapi.json`,
  });
  const options = `--header 'Prefer: respond-async' --json '${body}'`;
  const { id } = await askApi<{ id: string }>("/v1/scan", { options });
  return id;
};

beforeAll(async () => {
  target = await startTarget(200); // slow enough to be at work during the upgrade
  installation = await prepareInstallation(target);
  const [previous] = globSync("*.tgz", { cwd: RELEASED }).toSorted().toReversed();
  const chart = `${RELEASED}/${previous}`;
  const values = await valuesForPresentImages(chart, installation.values);
  await shell([`helm install glovebox ${chart} --create-namespace ${HELM_OPTIONS} ${values}`]);
  // What the present images write needs the present definition.
  await shell(["kubectl apply --server-side --force-conflicts --field-manager=helm -f k8s/crd/scans.yaml"]);
  key = await firstKey();
  early = await post();
  await endedScan(early);
  underWay = await post();
  await shell([`helm upgrade glovebox charts/glovebox ${HELM_OPTIONS} ${installation.values}`]);
});
afterAll(async () => {
  await installation?.remove();
  await target?.remove();
});

describe("an upgrade from the previous version of the chart", () => {
  test("keeps the first API key and every report", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(early)).toMatchObject({ status: "completed" });
  });

  test("loses no scan that was under way", async () => {
    expect(await endedScan(underWay)).toMatchObject({ status: "completed" });
  });

  test("goes on to scan", async () => {
    expect(await endedScan(await post())).toMatchObject({ status: "completed" });
  });

  test("is at the present version", async () => {
    const crd = await kubectl(["get", "crd", "scans.glovebox.dev", "--output=jsonpath={.metadata.labels}"]);
    const { version } = JSON.parse(
      await shell(["helm list --namespace glovebox --output json"]),
    )[0].chart.match(/^glovebox-(?<version>.*)$/).groups;
    expect(crd).toContain(`glovebox-${version}`);
  });
});
