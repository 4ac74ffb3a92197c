import { expect, test } from "vitest";
import { EVERYTHING, EXTERNAL, type Manifest, find, render } from "./helm.ts";

/** All permissions as lines: service account, namespace, verbs and resources. */
function permissionsOf(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === "RoleBinding" || kind === "ClusterRoleBinding")
    .flatMap((binding): string[] => {
      const { roleRef, subjects, metadata } = binding;
      const scope = binding["kind"] === "ClusterRoleBinding" ? "everywhere" : metadata.namespace;
      const role = manifests.find(
        (it) =>
          it["kind"] === roleRef.kind &&
          it["metadata"].name === roleRef.name &&
          it["metadata"].namespace === metadata.namespace,
      );
      return subjects.flatMap(({ name }: Manifest) =>
        role!["rules"].map((rule: Manifest) => `${name} in ${scope}: ${describeRule(rule)}`),
      );
    })
    .toSorted();
}

function describeRule({ apiGroups, resources, resourceNames, verbs }: Manifest): string {
  const targets = apiGroups.flatMap((group: string) =>
    resources.map((it: string) => (group === "" ? it : `${group}/${it}`)),
  );
  const only = resourceNames ? ` named ${resourceNames.join(" ")}` : "";
  return `${verbs.join(" ")} ${targets.join(" ")}${only}`;
}

const READ = "get list watch";

test("API and controller have exactly these permissions", () => {
  expect(permissionsOf(render(EVERYTHING))).toEqual(
    [
      "glovebox-api in glovebox-scans: create get list delete glovebox.dev/scans",
      "glovebox-api in glovebox-scans: create secrets",
      "glovebox-api in glovebox-scans: get namespaces named glovebox-scans",
      `glovebox-controller in glovebox-scans: create ${READ} delete glovebox.dev/scans`,
      `glovebox-controller in glovebox-scans: ${READ} glovebox.dev/scanschedules`,
      "glovebox-controller in glovebox-scans: patch glovebox.dev/scans/status glovebox.dev/scanschedules/status",
      `glovebox-controller in glovebox-scans: create ${READ} delete batch/jobs`,
      `glovebox-controller in glovebox-scans: create ${READ} delete networking.k8s.io/networkpolicies`,
      `glovebox-controller in glovebox-scans: ${READ} pods`,
      "glovebox-controller in glovebox-scans: get pods/log",
      "glovebox-controller in glovebox-scans: delete secrets",
      "glovebox-controller in glovebox-scans: create patch list events.k8s.io/events",
      "glovebox-controller in glovebox-scans: get namespaces named glovebox-scans",
      `glovebox-controller in glovebox-scans: ${READ} cilium.io/ciliumnetworkpolicies`,
      `glovebox-controller in glovebox-scans: ${READ} crd.projectcalico.org/networkpolicies projectcalico.org/networkpolicies crd.antrea.io/networkpolicies`,
      "glovebox-api in default: get discovery.k8s.io/endpointslices named kubernetes",
      "glovebox-controller in default: get discovery.k8s.io/endpointslices named kubernetes",
      "glovebox-controller in glovebox: create coordination.k8s.io/leases",
      "glovebox-controller in glovebox: get update coordination.k8s.io/leases named glovebox-controller",
      "glovebox-controller in glovebox: create patch events.k8s.io/events",
      "glovebox-controller in everywhere: list watch namespaces named glovebox-scans",
      `glovebox-controller in everywhere: ${READ} cilium.io/ciliumclusterwidenetworkpolicies`,
      `glovebox-controller in everywhere: ${READ} crd.projectcalico.org/globalnetworkpolicies projectcalico.org/globalnetworkpolicies`,
      `glovebox-controller in everywhere: ${READ} crd.antrea.io/clusternetworkpolicies`,
      `glovebox-controller in everywhere: ${READ} policy.networking.k8s.io/adminnetworkpolicies policy.networking.k8s.io/clusternetworkpolicies`,
    ].toSorted(),
  );
});

test("without a key for identities, the API has no permission for Secrets", () => {
  expect(permissionsOf(render(EXTERNAL)).filter((permission) => permission.includes("secrets"))).toEqual([
    "glovebox-controller in glovebox-scans: delete secrets",
  ]);
});

test("without readApiServerEndpoints, nothing is granted in the namespace default", () => {
  const manifests = render({ ...EXTERNAL, cluster: { readApiServerEndpoints: false } });
  expect(manifests.filter(({ metadata }) => metadata.namespace === "default")).toEqual([]);
});

test("in team namespaces, API and controller can only read Scans and schedules, run these and report the status", () => {
  const manifests = render({ ...EXTERNAL, scanNamespaces: ["team-a", "team-b"] });
  for (const team of ["team-a", "team-b"]) {
    expect(permissionsOf(manifests).filter((permission) => permission.includes(`in ${team}:`))).toEqual(
      [
        `glovebox-api in ${team}: list glovebox.dev/scans`,
        `glovebox-controller in ${team}: create ${READ} delete glovebox.dev/scans`,
        `glovebox-controller in ${team}: ${READ} glovebox.dev/scanschedules`,
        `glovebox-controller in ${team}: patch glovebox.dev/scans/status glovebox.dev/scanschedules/status`,
        `glovebox-controller in ${team}: create patch events.k8s.io/events`,
        `glovebox-controller in ${team}: get namespaces named ${team}`,
      ].toSorted(),
    );
  }
  for (const name of ["glovebox-api", "glovebox-controller"]) {
    const { env } = find(manifests, "Deployment", name)["spec"].template.spec.containers[0];
    expect(env).toContainEqual({ name: "GLOVEBOX_SCAN_NAMESPACES", value: "team-a,team-b" });
  }
});

test("with discovery, the controller can also list Ingresses, HTTPRoutes and Services in team namespaces, and write schedules there", () => {
  const permissions = (discovery: object): string[] =>
    permissionsOf(render({ ...EXTERNAL, scanNamespaces: ["team-a"], discovery }));
  const without = permissions({ enabled: false });
  expect(permissions({ enabled: true }).filter((permission) => !without.includes(permission))).toEqual([
    "glovebox-controller in team-a: create patch delete glovebox.dev/scanschedules",
    "glovebox-controller in team-a: list watch gateway.networking.k8s.io/httproutes",
    "glovebox-controller in team-a: list watch networking.k8s.io/ingresses",
    "glovebox-controller in team-a: list watch services",
  ]);
});

test("where names of Services may be scanned, the controller can also read Services and their endpoints in team namespaces", () => {
  const permissions = (...allow: string[]): string[] =>
    permissionsOf(render({ ...EXTERNAL, scanNamespaces: ["team-a"], scanner: { egress: { allow } } }));
  const without = permissions("10.0.0.0/8", "db.example.com:443");
  expect(without).toEqual(permissions());
  for (const name of ["shop.team-a.svc:443", "shop.team-a.svc.cluster.local:443"])
    expect(permissions(name).filter((permission) => !without.includes(permission))).toEqual([
      "glovebox-controller in team-a: get services",
      "glovebox-controller in team-a: list discovery.k8s.io/endpointslices",
    ]);
});

test("with policyReports, the controller can also create and patch Reports where Scans are", () => {
  const permissions = (policyReports: object): string[] =>
    permissionsOf(render({ ...EXTERNAL, scanNamespaces: ["team-a"], policyReports }));
  const without = permissions({ enabled: false });
  expect(permissions({ enabled: true }).filter((permission) => !without.includes(permission))).toEqual([
    "glovebox-controller in glovebox-scans: create patch openreports.io/reports",
    "glovebox-controller in team-a: create patch openreports.io/reports",
  ]);
});

test("the FlowSchema covers every call that the permissions of the API and the controller allow", () => {
  const manifests = render({
    ...EVERYTHING,
    scanNamespaces: ["team-a"],
    scanner: { egress: { allow: ["shop.team-a.svc:443"] } },
    discovery: { enabled: true },
    policyReports: { enabled: true },
  });
  const [{ resourceRules }] = manifests.find(({ kind }) => kind === "FlowSchema")!["spec"].rules;
  const has = (list: string[], item: string): boolean => list.includes("*") || list.includes(item);
  const covers = (rule: Manifest, call: Manifest): boolean =>
    has(rule["apiGroups"], call["group"]) &&
    has(rule["resources"], call["resource"]) &&
    has(rule["verbs"], call["verb"]) &&
    (call["namespace"] === undefined
      ? rule["clusterScope"]
      : has(rule["namespaces"] ?? [], call["namespace"]));
  const rulesOf = ({ roleRef, metadata: { namespace } }: Manifest): Manifest[] =>
    manifests.find(
      ({ kind, metadata }) =>
        kind === roleRef.kind && metadata.name === roleRef.name && metadata.namespace === namespace,
    )!["rules"];
  const calls = manifests
    .filter(({ kind }) => kind === "RoleBinding" || kind === "ClusterRoleBinding")
    .flatMap((binding) =>
      rulesOf(binding).flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group: string) =>
          resources.flatMap((resource: string) =>
            verbs.map((verb: string) => ({
              group,
              resource,
              verb,
              namespace: binding["metadata"].namespace,
            })),
          ),
        ),
      ),
    )
    // Cluster-wide policies are never read one by one.
    .filter(({ namespace, verb }: Manifest) => namespace !== undefined || verb !== "get");
  expect(calls.length).toBeGreaterThan(50);
  expect(
    calls.filter((call: Manifest) => !resourceRules.some((rule: Manifest) => covers(rule, call))),
  ).toEqual([]);
});

test("without readClusterPolicies and aggregateRoles, the chart has no cluster roles", () => {
  const manifests = render({
    ...EXTERNAL,
    controller: { rbac: { readClusterPolicies: false } },
    aggregateRoles: false,
  });
  const kinds = manifests.map(({ kind }) => kind);
  expect(kinds).not.toContain("ClusterRole");
  expect(kinds).not.toContain("ClusterRoleBinding");
});

test("the roles view, edit and admin are extended with permissions for Scans and schedules", () => {
  const AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-";
  const granted = render(EXTERNAL)
    .filter(({ kind }) => kind === "ClusterRole")
    .flatMap(({ metadata, rules }) =>
      Object.keys(metadata.labels)
        .filter((label) => label.startsWith(AGGREGATE))
        .map((label) => `${label.slice(AGGREGATE.length)}: ${rules.map(describeRule).join(", ")}`),
    );
  const write = "create update patch delete deletecollection glovebox.dev/scans glovebox.dev/scanschedules";
  const read = `${READ} glovebox.dev/scans glovebox.dev/scanschedules`;
  expect(granted.toSorted()).toEqual([
    `admin: ${write}`,
    `admin: ${read}`,
    `edit: ${write}`,
    `edit: ${read}`,
    `view: ${read}`,
  ]);
});

test("existing service accounts are used and not created", () => {
  const manifests = render({
    ...EXTERNAL,
    api: { serviceAccount: { name: "theirs" } },
    controller: { serviceAccount: { name: "others" } },
  });
  const created = manifests
    .filter(({ kind }) => kind === "ServiceAccount")
    .map(({ metadata }) => metadata.name);
  expect(created).toEqual(["glovebox-scanner"]);
  const api = find(manifests, "Deployment", "glovebox-api");
  expect(api["spec"].template.spec.serviceAccountName).toBe("theirs");
  expect(permissionsOf(manifests)).toContain(
    "theirs in glovebox-scans: create get list delete glovebox.dev/scans",
  );
});
