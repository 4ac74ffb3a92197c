import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createNamespace, kubectl } from "./kubectl.ts";

const CHART = fileURLToPath(new URL("../../../charts/glovebox", import.meta.url));
const NAME = "gb-glovebox-controller";
const API_NAME = "gb-glovebox-api";

/** The service accounts, roles and admission policies of the chart, with policyReports and identities. */
export interface ChartRoles {
  /** Settings with which a controller has the permissions of the chart and no others. */
  readonly settings: Readonly<Record<string, string>>;
  /** The same for the API. */
  readonly apiSettings: Readonly<Record<string, string>>;
  /** User names of the service accounts. */
  readonly users: Readonly<Record<"api" | "controller", string>>;
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
  const kubeconfigFor = async (account: string): Promise<string> => {
    const file = join(folder, account);
    writeFileSync(file, await kubeconfigOf(account, release));
    return file;
  };
  const userOf = (account: string) => `system:serviceaccount:${release}:${account}`;
  return {
    settings: {
      KUBECONFIG: await kubeconfigFor(NAME),
      POD_NAMESPACE: release,
      GLOVEBOX_LEASE_NAME: NAME,
    },
    apiSettings: { KUBECONFIG: await kubeconfigFor(API_NAME) },
    users: { api: userOf(API_NAME), controller: userOf(NAME) },
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
    "identities.existingSecret=identity-keys",
    `scanNamespace.name=${namespace}`,
    ...(team === undefined ? [] : [`scanNamespaces={${team}}`, "discovery.enabled=true"]),
  ];
  const files = [
    "api/rbac",
    "controller/rbac",
    "cluster/admission-policies",
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

/** KUBECONFIG with a token of the service account. */
async function kubeconfigOf(account: string, release: string): Promise<string> {
  const token = (await kubectl(["create", "token", account, "-n", release])).trim();
  const config = JSON.parse(await kubectl(["config", "view", "--minify", "--raw", "-o", "json"])) as {
    users: { name: string; user: object }[];
  };
  const users = config.users.map(({ name }) => ({ name, user: { token } }));
  return JSON.stringify({ ...config, users });
}
