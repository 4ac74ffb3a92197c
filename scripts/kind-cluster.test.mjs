import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../k8s/kind/cluster", import.meta.url));
/** Stands in for a program: writes its arguments and its input down. */
const RECORDER = `#!/bin/bash
echo "\${0##*/} $*" >>"$LOG"
[[ "$*" != *"--config -"* && "$*" != *"--filename -"* ]] || cat >>"$LOG"
if [[ "$*" == *"get configmap coredns"* ]]; then printf '    .:53 {\\n        errors\\n        ready\\n    }\\n'; fi
`;

let folder;
const state = () => join(folder, "state");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "glovebox-kind-"));
  for (const program of ["kind", "k3d", "kubectl", "helm", "sudo", "go"]) {
    writeFileSync(join(folder, program), RECORDER);
    chmodSync(join(folder, program), 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(...args) {
  const log = join(folder, "log");
  rmSync(log, { force: true });
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    LOG: log,
    GLOVEBOX_TEST_CLUSTER_STATE: state(),
  };
  const { status, stdout, stderr } = spawnSync(SCRIPT, args, { env, encoding: "utf8" });
  return { status, stdout, stderr, commands: existsSync(log) ? readFileSync(log, "utf8") : "" };
}

describe("k8s/kind/cluster up", () => {
  test.each([
    ["kindnet", "kind create cluster", "kindest"],
    ["calico", "projectcalico/calico", "k3d"],
    ["cilium", "helm install cilium", "k3d"],
    ["k3s", "k3d cluster create", "kind create"],
  ])("%s makes a cluster with that network plugin", (plugin, expected, unexpected) => {
    const { status, stderr, commands } = run("up", plugin);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(commands).toContain(expected);
    expect(commands).not.toContain(unexpected);
    expect(commands).toContain("kubectl wait nodes --all --for=condition=Ready");
    expect(commands).toContain("sudo ip route replace local 198.51.100.0/24 dev lo");
  });

  test.each(["calico", "cilium"])("%s has kind leave its own plugin out", (plugin) => {
    expect(run("up", plugin).commands).toContain("\n  disableDefaultCNI: true\n");
  });

  test("k8s/kind/cluster up on kind lets the cluster's DNS resolve the name of the examples", () => {
    const { commands } = run("up", "kindnet");
    const corefile = [
      "        ready",
      "        hosts {",
      "           198.51.100.20 api.shop.example",
      "           fallthrough",
      "        }",
    ];
    expect(commands).toContain(corefile.join("\n"));
  });

  test("refuses a plugin that it does not know, and a second cluster", () => {
    expect(run("up", "flannel")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not "flannel"'),
    });
    run("up", "calico");
    expect(run("up", "kindnet")).toMatchObject({
      status: 2,
      stderr: "There is a cluster already (calico): k8s/kind/cluster down\n",
    });
  });
});

describe("k8s/kind/cluster env", () => {
  test.each([
    ["kindnet", { GLOVEBOX_CLUSTER_OWN_NODE: "reachable" }],
    ["calico", {}],
    ["cilium", { GLOVEBOX_CLUSTER_TARGETS: "outside" }],
    ["k3s", { GLOVEBOX_CLUSTER_HOSTS: undefined }],
  ])("k8s/kind/cluster env of %s prints what the suites read", (plugin, more) => {
    run("up", plugin);
    const { stdout } = run("env");
    const variables = Object.fromEntries(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => /^export (\w+)=(.+)$/.exec(line).slice(1)),
    );
    const defaults = {
      KUBECONFIG: expect.stringMatching(/kubeconfig$/),
      GLOVEBOX_CLUSTER_WORLD: "/usr/bin/env",
      GLOVEBOX_CLUSTER_WORLD_CIDRS: "198.51.100.0/24",
      GLOVEBOX_CLUSTER_HOSTS: expect.stringMatching(/hosts$/),
    };
    expect({ GLOVEBOX_CLUSTER_HOSTS: undefined, ...variables }).toEqual({ ...defaults, ...more });
  });

  test("says so where there is no cluster", () => {
    expect(run("env")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("There is no cluster: k8s/kind/cluster up PLUGIN"),
    });
  });
});

test.each([
  ["calico", "kind load image-archive --name glovebox-test a.tar\n"],
  ["k3s", "k3d image import --cluster glovebox-test a.tar\n"],
])("images are loaded into the nodes of %s", (plugin, command) => {
  run("up", plugin);
  expect(run("load", "a.tar").commands).toBe(command);
});

test.each([
  ["calico", "kind delete cluster"],
  ["k3s", "k3d cluster delete"],
])("down takes the cluster of %s and its range away, so that another can be made", (plugin, command) => {
  run("up", plugin);
  const { commands } = run("down");
  expect(commands).toContain(command);
  expect(commands).toContain("sudo ip route del local 198.51.100.0/24 dev lo");
  expect(run("up", "kindnet").status).toBe(0);
});

test.each(["kind", "k3d"])("tool %s builds a version that is pinned", (program) => {
  expect(run("tool", program).commands).toMatch(/^go install [\w./-]+@v\d+\.\d+\.\d+\n$/);
});
