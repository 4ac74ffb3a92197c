// Who may import whom (docs/architecture.md). scripts/boundaries.mjs plants a violation of every rule and expects each to be seen.
const mayImport = {
  contract: [],
  egress: [],
  demo: [],
  store: ["contract"],
  k8s: ["contract"],
  controller: ["contract", "egress", "k8s", "store"],
  api: ["contract", "egress", "store", "k8s"],
  "scanner-job": ["contract"],
  cli: ["contract", "egress", "demo", "store", "api", "scanner-job"],
};
/** What tests of a room may import beside: the scanner is tried on the demo. */
const testsMayImport = { "scanner-job": ["demo"] };
const rooms = Object.keys(mayImport);
const anyRoom = `^(${rooms.join("|")})/`;
const tests = "(\\.test\\.ts$|/src/.*\\btesting(\\.ts$|/))";

const roomRules = rooms
  .filter((room) => room !== "cli")
  .map((room) => ({
    name: `${room}-imports-${mayImport[room].join("-") || "nothing"}`,
    severity: "error",
    from: { path: `^${room}/src/`, ...(testsMayImport[room] ? { pathNot: tests } : {}) },
    to: { path: anyRoom, pathNot: `^(${[room, ...mayImport[room]].join("|")})/` },
  }));

const testRules = Object.entries(testsMayImport).map(([room, more]) => ({
  name: `${room}-tests-import-${more.join("-")}-too`,
  severity: "error",
  from: { path: `^${room}/src/.*${tests}` },
  to: { path: anyRoom, pathNot: `^(${[room, ...mayImport[room], ...more].join("|")})/` },
}));

const only = (name, packages, owner) => ({
  name,
  severity: "error",
  from: { path: `${anyRoom}src/`, pathNot: [`^${owner}/`, tests] },
  to: { path: `node_modules/(${packages})/` },
});

export default {
  forbidden: [
    ...roomRules,
    ...testRules,
    {
      name: "rooms-by-their-door",
      comment:
        "Another room is imported by its package name, never by a path into it: its exports are its doors.",
      severity: "error",
      from: { path: `${anyRoom}src/` },
      to: { path: anyRoom, pathNot: "^$1/", dependencyTypesNot: ["aliased-workspace"] },
    },
    {
      name: "no-tests-in-source",
      severity: "error",
      from: { path: `${anyRoom}src/`, pathNot: tests },
      to: { path: [tests, "^(test|bench)/"] },
    },
    {
      name: "no-development-packages-in-source",
      severity: "error",
      from: { path: `${anyRoom}src/`, pathNot: tests },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "declared-packages",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "contract-knows-zod-only",
      severity: "error",
      from: { path: "^contract/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/zod/" },
    },
    {
      name: "k8s-knows-zod-only",
      severity: "error",
      from: { path: "^k8s/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/zod/" },
    },
    {
      name: "egress-knows-ipaddr-only",
      severity: "error",
      from: { path: "^egress/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/ipaddr\\.js/" },
    },
    only("sql-in-store-only", "drizzle-orm|postgres", "store"),
    only("http-framework-in-api-only", "express|redis|rate-limiter-flexible", "api"),
    only("http-client-in-scanner-and-controller-only", "undici", "(scanner-job|controller)"),
    only("kubernetes-client-in-controller-and-api-only", "@kubernetes/client-node", "(controller|api)"),
  ],
  options: {
    parser: "swc",
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default", "types"],
      extensions: [".ts", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
