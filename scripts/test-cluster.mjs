// `npm run test:cluster [-- VITEST OPTIONS]`: the tests that need a Kubernetes cluster (scripts/cluster-tests.mjs).
import { isInstalled, runOnCluster } from "./cluster-tests.mjs";

/** Tests that need more than a cluster, and what they lack. */
function leftOut() {
  const { GLOVEBOX_CLUSTER_COMPONENT, GLOVEBOX_CLUSTER_ENFORCEMENT, GLOVEBOX_CLUSTER_WORLD } = process.env;
  const needs = [];
  if (!GLOVEBOX_CLUSTER_ENFORCEMENT) {
    const lack =
      'GLOVEBOX_CLUSTER_ENFORCEMENT, a command that takes "off", "on" and "delay SECONDS", is not set';
    needs.push(["unenforced", lack], ["canary-lost", lack]);
  }
  if (!GLOVEBOX_CLUSTER_COMPONENT)
    needs.push([
      "api-server-outage",
      'GLOVEBOX_CLUSTER_COMPONENT, a command that takes "stop kube-apiserver" and "start kube-apiserver", is not set',
    ]);
  if (!GLOVEBOX_CLUSTER_WORLD)
    console.log(
      "Left out: the internet and the metadata service in test/cluster/seal-*.test.ts, because GLOVEBOX_CLUSTER_WORLD, " +
        "a command that runs a program outside the cluster, at any address of GLOVEBOX_CLUSTER_WORLD_CIDRS, is not set.",
    );
  if (!isInstalled("helm", "version")) needs.push(["rights", "helm is not installed"]);
  return needs.map(([name, lack]) => ({ file: `test/cluster/${name}.test.ts`, lack }));
}

await runOnCluster({ project: "cluster", leftOut });
