import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createNamespace, kubectl } from "./kubectl.ts";

const CHART = fileURLToPath(new URL("../../../charts/glovebox", import.meta.url));
const NAME = "gb-glovebox-controller";

/** The service account and the roles of the controller, as the chart makes them with policyReports. */
export interface ChartRoles {
  /** Settings with which a controller has the permissions of the chart and no others. */
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export interface ChartRolesOptions {
  /** The namespace of scans. */
  readonly namespace: string;
  /** The namespace of a team, with discovery. */
  readonly team?: string;
}

/** Creates a namespace for the release, and applies the roles there and in the namespaces of scans. */
export async function applyChartRoles({ namespace, team }: ChartRolesOptions): Promise<ChartRoles> {
  const release = `${namespace}-release`;
  await createNamespace(release);
  const roles = await render({ namespace, team, release });
  await kubectl(["apply", "-f", "-"], roles);
  const folder = mkdtempSync(join(tmpdir(), "glovebox-rbac-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, await kubeconfigOfController(release));
  return {
    settings: { KUBECONFIG: kubeconfig, POD_NAMESPACE: release, GLOVEBOX_LEASE_NAME: NAME },
    async remove() {
      await kubectl(["delete", "--ignore-not-found", "--wait=false", "-f", "-"], roles);
      await kubectl(["delete", "namespace", release, "--wait=false"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function render({
  namespace,
  team,
  release,
}: {
  readonly namespace: string;
  readonly team: string | undefined;
  readonly release: string;
}): Promise<string> {
  const values = [
    "image.registry=localhost",
    "evaluation=true",
    "scanNamespace.create=false",
    "policyReports.enabled=true",
    `scanNamespace.name=${namespace}`,
    ...(team === undefined ? [] : [`scanNamespaces={${team}}`, "discovery.enabled=true"]),
  ];
  const files = [
    "controller/rbac",
    "controller/cluster-rbac",
    "cluster/api-server-endpoints",
    ...(team === undefined ? [] : ["scans/team-rbac"]),
  ];
  const { stdout } = await promisify(execFile)("helm", [
    ...["template", "gb", CHART, "-n", release],
    ...values.flatMap((value) => ["--set", value]),
    ...files.flatMap((file) => ["--show-only", `templates/${file}.yaml`]),
  ]);
  return stdout;
}

/** KUBECONFIG with a token of that service account. */
async function kubeconfigOfController(release: string): Promise<string> {
  const token = (await kubectl(["create", "token", NAME, "-n", release])).trim();
  const config = JSON.parse(await kubectl(["config", "view", "--minify", "--raw", "-o", "json"])) as {
    users: { name: string; user: object }[];
  };
  const users = config.users.map(({ name }) => ({ name, user: { token } }));
  return JSON.stringify({ ...config, users });
}
