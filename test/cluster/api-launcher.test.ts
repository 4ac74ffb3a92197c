import { apiKubeClient, installationOf, scanResources } from "@glovebox/api/kubernetes";
import { kubeconfigConnection, type KubeConnection } from "@glovebox/kube";
import { launcherContract } from "../launchers/launcher-contract.ts";
import { launcherOver } from "../launchers/launcher-over.ts";
import { watchJobs } from "./support/job-watch.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { setStage } from "./support/stage.ts";
import { until } from "./support/until.ts";

// The real API server and the real controller. The launcher has the rights that the chart gives the API, and no others;
// it can launch nothing while they are taken from it.
launcherContract("a Scan resource of a real cluster", async (store, databaseUrl) => {
  const stage = await setStage({ delayMs: 100 });
  await stage.startController(
    { DATABASE_URL: databaseUrl, GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10" },
    { "api.example.com": stage.target.address },
  );
  const rights = rightsIn(stage.namespace);
  await apply(...rights.who);
  await rights.give();
  const client = apiKubeClient(await connectionOf(stage.namespace));
  const { launcher, sweeper } = launcherOver(
    store,
    scanResources(client.transport, stage.namespace),
    installationOf(client.transport, stage.namespace),
  );
  const jobs = watchJobs(stage.namespace);
  const namesOf = (id: string, type: string) =>
    new Set(jobs.changes.filter((job) => job.scanId === id && job.type === type).map(({ name }) => name));
  return {
    launcher,
    begun: (id) => namesOf(id, "ADDED").size,
    isUnderWay: (id) => namesOf(id, "ADDED").size > namesOf(id, "DELETED").size,
    goAway: () => rights.take(),
    async comeBack() {
      await rights.give();
      await sweeper.sweep();
    },
    async close() {
      await launcher.close();
      client.close();
      await jobs.stop();
      await stage.close();
    },
  };
});

const NAME = "glovebox-api";

function rightsIn(namespace: string) {
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
    until(`the rights of the API to be ${isAllowed ? "given" : "taken"}`, async () => {
      const as = `--as=system:serviceaccount:${namespace}:${NAME}`;
      const args = ["auth", "can-i", "create", "scans.glovebox.dev", "-n", namespace, as];
      const said = await kubectl(args).catch(() => "no"); // it ends with 1 as well
      return said.startsWith("yes") === isAllowed;
    });
  return {
    who: [
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
    async give(): Promise<void> {
      await apply(binding);
      await untilAllowed(true);
    },
    async take(): Promise<void> {
      await kubectl(["delete", "rolebinding", NAME, "-n", namespace]);
      await untilAllowed(false);
    },
  };
}

/** Like the kubeconfig at hand, as the service account of the API. */
async function connectionOf(namespace: string): Promise<KubeConnection> {
  const connection = await kubeconfigConnection(process.env["KUBECONFIG"]!);
  const token = (await kubectl(["create", "token", NAME, "-n", namespace])).trim();
  const { ca } = await connection.credentials();
  return { ...connection, credentials: async () => ({ ca, token }) };
}
