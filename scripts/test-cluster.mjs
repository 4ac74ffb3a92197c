// `npm run test:cluster|test:install|test:faults [-- VITEST OPTIONS]`: the tests that need a Kubernetes cluster.
//
// All of them need kubectl, openssl, and the cluster of KUBECONFIG: it enforces NetworkPolicies, its pods reach this machine
// at the address that leads to its nodes, and it has the image of the scanner (GLOVEBOX_TEST_SCANNER_IMAGE, by default
// localhost/glovebox/scanner-job:dev).
import { isInstalled, whyNoCluster } from "./shared/programs.mjs";
import { conclude, runVitest } from "./shared/vitest.mjs";

const suites = {
  /** Scans, their isolation and attempts to break it, lost reports, interruptions. */
  cluster: { leftOut: leftOutOfCluster },
  /**
   * The chart by the README's commands: install, upgrade, uninstall. The cluster must have no Glovebox and the images of
   * `npm run images`. Where there is no registry, GLOVEBOX_TEST_VALUES is a file of values with the images of PostgreSQL and
   * Redis, and GLOVEBOX_TEST_KUBECTL_IMAGE the image of kubectl for the example of a nightly scan.
   */
  install: { program: ["helm", "version"] },
  /** Kills each part of Glovebox repeatedly while scans run (docs/faults.md). */
  faults: { program: ["redis-server", "--version"], leftOut: leftOutOfFaults },
};

/** Files of test/cluster that need more than a cluster, each with what is missing. */
function leftOutOfCluster() {
  const { GLOVEBOX_CLUSTER_COMPONENT, GLOVEBOX_CLUSTER_ENFORCEMENT, GLOVEBOX_CLUSTER_WORLD } = process.env;
  const missing = [];
  if (!GLOVEBOX_CLUSTER_ENFORCEMENT) {
    const lack =
      'GLOVEBOX_CLUSTER_ENFORCEMENT, a command that takes "off", "on" and "delay SECONDS", is not set';
    missing.push(["unenforced", lack], ["canary-lost", lack]);
  }
  if (!GLOVEBOX_CLUSTER_COMPONENT)
    missing.push([
      "api-server-outage",
      'GLOVEBOX_CLUSTER_COMPONENT, a command that takes "stop kube-apiserver" and "start kube-apiserver", is not set',
    ]);
  if (!GLOVEBOX_CLUSTER_WORLD)
    console.log(
      "Left out: the internet and the metadata service in test/cluster/seal-*.test.ts, because GLOVEBOX_CLUSTER_WORLD, " +
        "a command that runs a program outside the cluster, at any address of GLOVEBOX_CLUSTER_WORLD_CIDRS, is not set.",
    );
  if (!isInstalled("helm", "version"))
    for (const name of [
      "rbac",
      "discovery",
      "policy-report",
      "seal-namespace-labels",
      "identities",
      "identities-secret",
      "identities-admission",
    ])
      missing.push([name, "helm is not installed"]);
  return missing.map(([name, lack]) => ({ file: `test/cluster/${name}.test.ts`, lack }));
}

function leftOutOfFaults() {
  if (process.env.GLOVEBOX_CLUSTER_COMPONENT) return [];
  return [{ file: "test/faults/node-lost.test.ts", lack: "GLOVEBOX_CLUSTER_COMPONENT is not set" }];
}

async function run(suite, vitestOptions) {
  const { program, leftOut = () => [] } = suites[suite];
  const reason = program && !isInstalled(...program) ? `${program[0]} is not installed.` : whyNoCluster();
  if (reason !== undefined) {
    console.log(reason);
    process.exitCode = 2;
    return;
  }
  const excluded = leftOut();
  for (const { file, lack } of excluded) console.log(`Left out: ${file}, because ${lack}.`);
  const options = [
    "--project",
    suite,
    ...excluded.flatMap(({ file }) => ["--exclude", file]),
    ...vitestOptions,
  ];
  const outcome = await runVitest(options, { GLOVEBOX_TEST_CLUSTER: "true" });
  conclude({ ...outcome, skipped: outcome.skipped + excluded.length });
}

const [suite, ...vitestOptions] = process.argv.slice(2);
await run(suite, vitestOptions);
