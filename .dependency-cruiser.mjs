// Which package may import which (docs/architecture.md). scripts/boundaries.mjs plants a violation of every rule and expects to find each.
const mayImport = {
  contract: [],
  domain: ["contract"],
  "scan-run": ["contract", "domain"],
  report: ["contract", "domain"],
  egress: ["contract"],
  settings: ["egress"],
  demo: [],
  store: ["contract", "domain", "scan-run"],
  kube: [],
  k8s: ["contract"],
  controller: ["contract", "domain", "scan-run", "egress", "kube", "k8s", "settings", "store"],
  api: ["contract", "domain", "scan-run", "report", "egress", "settings", "store", "kube", "k8s"],
  "scanner-job": ["contract", "domain", "scan-run"],
  dashboard: ["contract", "domain", "api"],
  cli: [
    "contract",
    "domain",
    "scan-run",
    "report",
    "egress",
    "settings",
    "demo",
    "store",
    "api",
    "scanner-job",
  ],
};
/** What the tests of a package may import besides: the scanner is tested against the demo target, examples by the rules. */
const testsMayImport = { "scanner-job": ["demo"], k8s: ["domain"] };
export const packages = Object.keys(mayImport);
const anyPackage = `^(${packages.join("|")})/`;
export const tests = "(\\.test\\.tsx?$|/src/.*\\btesting(\\.ts$|/))";

const packageRules = packages
  .filter((name) => name !== "cli")
  .map((name) => ({
    name: `${name}-imports-${mayImport[name].join("-") || "nothing"}`,
    severity: "error",
    from: { path: `^${name}/src/`, ...(testsMayImport[name] ? { pathNot: tests } : {}) },
    to: { path: anyPackage, pathNot: `^(${[name, ...mayImport[name]].join("|")})/` },
  }));

const testRules = Object.entries(testsMayImport).map(([name, more]) => ({
  name: `${name}-tests-import-${more.join("-")}-too`,
  severity: "error",
  from: { path: `^${name}/src/.*${tests}` },
  to: { path: anyPackage, pathNot: `^(${[name, ...mayImport[name], ...more].join("|")})/` },
}));

const only = (name, modules, owner) => ({
  name,
  severity: "error",
  from: { path: `${anyPackage}src/`, pathNot: [`^${owner}/`, tests] },
  to: { path: `node_modules/(${modules})/` },
});

export default {
  forbidden: [
    ...packageRules,
    ...testRules,
    {
      name: "dashboard-knows-types-and-what-runs-in-browsers-only",
      comment: "What the server is made of must not get into its bundle.",
      severity: "error",
      from: { path: "^dashboard/src/", pathNot: tests },
      to: {
        path: anyPackage,
        pathNot: "^(dashboard|contract|domain)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "packages-by-their-exports",
      comment:
        "Another package is imported by its name, never by a path into it: only what it exports is public.",
      severity: "error",
      from: { path: `${anyPackage}src/` },
      to: { path: anyPackage, pathNot: "^$1/", dependencyTypesNot: ["aliased-workspace"] },
    },
    {
      name: "no-tests-in-source",
      severity: "error",
      from: { path: `${anyPackage}src/`, pathNot: tests },
      to: { path: [tests, "^(test|bench)/"] },
    },
    {
      name: "no-development-packages-in-source",
      comment: "But in cli, which is published as a bundle without dependencies.",
      severity: "error",
      from: { path: `${anyPackage}src/`, pathNot: ["^cli/", tests] },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm"] }, // `npm`: the package depends on it itself
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-cycles-between-folders",
      severity: "error",
      scope: "folder",
      from: { path: `${anyPackage}src/` },
      to: { circular: true },
    },
    {
      name: "declared-packages",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      // What the servers of others need is installed by their own tests.
      from: { pathNot: "^test/real-apis/[^/]+\\.mjs$" },
      to: { couldNotResolve: true },
    },
    {
      name: "contract-knows-zod-only",
      severity: "error",
      from: { path: "^contract/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/zod/" },
    },
    {
      name: "domain-knows-croner-hashes-and-zod-only",
      severity: "error",
      from: { path: "^domain/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/(croner|@noble/hashes|zod)/" },
    },
    {
      name: "contract-and-domain-run-in-browsers",
      comment: "The dashboard shares their rules.",
      severity: "error",
      from: { path: "^(contract|domain)/src/", pathNot: tests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "k8s-knows-js-yaml-and-zod-only",
      severity: "error",
      from: { path: "^k8s/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/(js-yaml|zod)/" },
    },
    {
      name: "kube-knows-js-yaml-zod-and-types-of-kubernetes-only",
      severity: "error",
      from: { path: "^kube/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/(js-yaml|zod|@kubernetes/client-node)/" },
    },
    {
      name: "report-knows-contract-only",
      severity: "error",
      from: { path: "^report/src/", pathNot: tests },
      to: { path: "node_modules/" },
    },
    {
      name: "egress-knows-ipaddr-only",
      severity: "error",
      from: { path: "^egress/src/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/ipaddr\\.js/" },
    },
    only("sql-in-store-only", "drizzle-orm|postgres", "store"),
    only("http-framework-in-api-only", "express|redis|rate-limiter-flexible", "api"),
    only("http-client-in-scanner-only", "undici", "scanner-job"),
    {
      name: "kubernetes-library-for-its-types-only",
      comment: "docs/adr/0017",
      severity: "error",
      from: {},
      to: { path: "node_modules/@kubernetes/client-node/", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    parser: "swc",
    metrics: true, // without them the rules about folders are not applied
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Our own builds: the packages of others may have their entry in a folder of that name.
    exclude: { path: "^[^/]+/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
