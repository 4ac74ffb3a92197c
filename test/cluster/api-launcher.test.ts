import { apiKubeClient, installationOf, scanResources } from "@glovebox/api/kubernetes";
import { kubeconfigConnection, type KubeConnection } from "@glovebox/kube";
import { launcherContract } from "../launchers/launcher-contract.ts";
import { kubernetesLauncher } from "../launchers/kubernetes-launcher.ts";
import { watchJobs } from "./support/job-watch.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { startFixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

// With a real API server and controller. The launcher has the permissions that the chart grants the API. It cannot launch
// scans while its RoleBinding is deleted.
launcherContract("a Scan resource of a real cluster", async (store, databaseUrl) => {
  const fixture = await startFixture({ delayMs: 100 });
  await fixture.startController(
    { DATABASE_URL: databaseUrl, GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10" },
    { "api.example.com": fixture.target.address },
  );
  const permissions = permissionsIn(fixture.namespace);
  await apply(...permissions.objects);
  await permissions.grant();
  const client = apiKubeClient(await connectionOf(fixture.namespace));
  const { launcher, sweeper } = kubernetesLauncher(
    store,
    scanResources(client.transport, fixture.namespace),
    installationOf(client.transport, fixture.namespace),
  );
  const jobs = watchJobs(fixture.namespace);
  const jobNames = (id: string, type: string) =>
    new Set(jobs.changes.filter((job) => job.scanId === id && job.type === type).map(({ name }) => name));
  return {
    launcher,
    startedCount: (id) => jobNames(id, "ADDED").size,
    isRunning: (id) => jobNames(id, "ADDED").size > jobNames(id, "DELETED").size,
    makeUnavailable: () => permissions.revoke(),
    async restore() {
      await permissions.grant();
      await sweeper.sweep();
    },
    async close() {
      await launcher.close();
      client.close();
      await jobs.stop();
      await fixture.close();
    },
  };
});

const NAME = "glovebox-api";

function permissionsIn(namespace: string) {
  const metadata = { name: NAME, namespace };
  const api = "rbac.authorization.k8s.io/v1";
  const verbs = ["create", "get", "list", "watch", "delete"];
  const binding = {
    apiVersion: api,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: NAME },
    subjects: [{ kind: "ServiceAccount", name: NAME, namespace }],
  };
  const untilAllowed = (isAllowed: boolean) =>
    until(`the permissions of the API to be ${isAllowed ? "granted" : "revoked"}`, async () => {
      const as = `--as=system:serviceaccount:${namespace}:${NAME}`;
      const args = ["auth", "can-i", "create", "scans.glovebox.dev", "-n", namespace, as];
      const response = await kubectl(args).catch(() => "no"); // with "no", it exits with 1
      return response.startsWith("yes") === isAllowed;
    });
  return {
    objects: [
      { apiVersion: "v1", kind: "ServiceAccount", metadata },
      {
        apiVersion: api,
        kind: "Role",
        metadata,
        rules: [
          { apiGroups: ["glovebox.dev"], resources: ["scans"], verbs },
          { apiGroups: [""], resources: ["namespaces"], resourceNames: [namespace], verbs: ["get"] },
        ],
      },
    ],
    async grant(): Promise<void> {
      await apply(binding);
      await untilAllowed(true);
    },
    async revoke(): Promise<void> {
      await kubectl(["delete", "rolebinding", NAME, "-n", namespace]);
      await untilAllowed(false);
    },
  };
}

/** The connection of KUBECONFIG with the credentials of the API's service account. */
async function connectionOf(namespace: string): Promise<KubeConnection> {
  const connection = await kubeconfigConnection(process.env["KUBECONFIG"]!);
  const token = (await kubectl(["create", "token", NAME, "-n", namespace])).trim();
  const { ca } = await connection.credentials();
  return { ...connection, credentials: async () => ({ ca, token }) };
}
