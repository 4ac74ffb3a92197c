// `npm run test:cluster [-- VITEST OPTIONS]`: the tests that need a Kubernetes cluster, the one of KUBECONFIG. It needs
// kubectl and openssl, enforces NetworkPolicies, reaches this machine by the address that leads to its nodes, and has the
// image of the scanner: GLOVEBOX_TEST_SCANNER_IMAGE, by default localhost/glovebox/scanner-job:dev.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Why the tests cannot run; nothing when they can. */
function obstacle() {
  if (!process.env.KUBECONFIG) return "KUBECONFIG is not set: there is no cluster to test on.";
  const { error, status } = spawnSync("kubectl", ["get", "--raw", "/readyz"], {
    stdio: "ignore",
    timeout: 20_000,
  });
  if (error?.code === "ENOENT") return "kubectl is not installed.";
  return status === 0 ? undefined : "The cluster of KUBECONFIG does not answer.";
}

/** Tests that need more than a cluster, and what they lack. */
function leftOut() {
  const needs = [];
  if (!process.env.GLOVEBOX_CLUSTER_ENFORCEMENT)
    needs.push([
      "unenforced",
      'GLOVEBOX_CLUSTER_ENFORCEMENT, a command that takes "off" and "on", is not set',
    ]);
  if (spawnSync("helm", ["version"], { stdio: "ignore" }).error)
    needs.push(["rights", "helm is not installed"]);
  return needs.map(([name, lack]) => ({ file: `test/cluster/${name}.test.ts`, lack }));
}

const reason = obstacle();
if (reason !== undefined) {
  console.log(reason);
  process.exitCode = 2;
} else {
  const excluded = leftOut();
  for (const { file, lack } of excluded) console.log(`Left out: ${file}, because ${lack}.`);
  const args = [
    ...["node_modules/vitest/vitest.mjs", "run", "--project", "cluster"],
    ...excluded.flatMap(({ file }) => ["--exclude", file]),
    ...process.argv.slice(2),
  ];
  const env = { ...process.env, GLOVEBOX_TEST_CLUSTER: "true" };
  spawn(process.execPath, args, { cwd: root, stdio: "inherit", env }).on("close", (code) => {
    process.exitCode = code ?? 1;
  });
}
