import { apiKubeClient, installationOf, scanResources } from "@glovebox/api/kubernetes";
import { FakeCluster } from "../../api/src/kubernetes/testing/fake-cluster.ts";
import { launcherContract } from "./launcher-contract.ts";
import { launcherOver } from "./launcher-over.ts";

// Against a stand-in for the API server: the tests of the cluster hold the same contract against a real one.
launcherContract("a Scan resource", async (store) => {
  const kube = await FakeCluster.start();
  const client = apiKubeClient(kube.connection);
  const resources = scanResources(client.transport, "scans");
  const { launcher, sweeper } = launcherOver(store, resources, installationOf(client.transport, "scans"));
  return {
    launcher,
    begun: (id) => kube.created.filter((name) => name === id).length,
    isUnderWay: (id) => kube.scans.has(id),
    async goAway() {
      kube.failWith = "drop";
    },
    async comeBack() {
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
