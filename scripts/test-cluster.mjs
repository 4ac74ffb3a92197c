// `npm run test:cluster [-- VITEST OPTIONS]`: the tests that need a Kubernetes cluster (scripts/cluster-tests.mjs).
import { isInstalled, runOnCluster } from "./cluster-tests.mjs";

/** Tests that need more than a cluster, and what they lack. */
function leftOut() {
  const needs = [];
  if (!process.env.GLOVEBOX_CLUSTER_ENFORCEMENT)
    needs.push([
      "unenforced",
      'GLOVEBOX_CLUSTER_ENFORCEMENT, a command that takes "off" and "on", is not set',
    ]);
  if (!isInstalled("helm", "version")) needs.push(["rights", "helm is not installed"]);
  return needs.map(([name, lack]) => ({ file: `test/cluster/${name}.test.ts`, lack }));
}

runOnCluster({ project: "cluster", env: { GLOVEBOX_TEST_CLUSTER: "true" }, leftOut });
