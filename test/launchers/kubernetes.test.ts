import { apiKubeClient, installationOf, scanResources } from "@glovebox/api/kubernetes";
import { FakeCluster } from "../../api/src/kubernetes/testing/fake-cluster.ts";
import { launcherContract } from "./launcher-contract.ts";
import { kubernetesLauncher } from "./kubernetes-launcher.ts";

// With a fake API server. test/cluster/api-launcher.test.ts runs the same tests with a real one.
launcherContract("a Scan resource", async (store) => {
  const kube = await FakeCluster.start();
  const client = apiKubeClient(kube.connection);
  const resources = scanResources(client.transport, "scans");
  const { launcher, sweeper } = kubernetesLauncher(
    store,
    resources,
    installationOf(client.transport, "scans"),
  );
  return {
    launcher,
    startedCount: (id) => kube.created.filter((name) => name === id).length,
    isRunning: (id) => kube.scans.has(id),
    async makeUnavailable() {
      kube.failWith = "drop";
    },
    async restore() {
      kube.failWith = undefined;
      await sweeper.sweep();
    },
    async close() {
      await launcher.close();
      client.close();
      await kube[Symbol.asyncDispose]();
    },
  };
});
