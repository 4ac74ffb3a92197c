import { defineConfig } from "vitest/config";

// Tests beside the code that start PostgreSQL or redis-server; what of it is missing, scripts/test.mjs leaves out.
const needsPrograms = ["**/*.pg.test.ts", "**/*.redis.test.ts"];

// Each runs a check through the whole scanner against real servers: `npm test` runs them, `npm run check` does not.
const ofChecks = ["scanner-job/src/checks/**/*.test.ts"];

// Tests beside the code that start programs of ours; what takes long, `npm test` runs and `npm run check` does not.
const startsPrograms = [
  "scan-run/src/outcome-reader.load.test.ts",
  "cli/src/scanner/hostile-scanners.test.ts",
  "cli/src/scanner/run-scanner.test.ts",
  "cli/src/demo/demo-process.test.ts",
  "scripts/build/build.test.mjs",
];

// These render the Helm chart: they need helm and no database.
const ofChart = "test/chart/**/*.test.ts";

// These need no program: they compare the documentation with the code, or test what other tests are made of.
const withoutPrograms = ["test/docs/**/*.test.ts", "test/*/support/**/*.test.ts"];

// Tests of the engine, the controller and the exporters, once more with one message in place of all: no message is read back.
const decidesByFacts = [
  "scanner-job/src/{engine,isolation}/**/*.test.ts",
  "controller/src/scan/**/*.test.ts",
  "domain/src/{diff,findings,findings-index,location,retest,triage}.test.ts",
  "report/src/**/*.test.ts",
];
// These concern sizes, masked and hostile texts, and take long.
const decidesOtherwise = ["scanner-job/src/engine/{delivery,redact}.test.ts", "report/src/hostile.test.ts"];

// These need a cluster: `npm run test:cluster`, `test:install` and `test:faults` ask for them, and nothing else does.
const ofCluster = ["cluster", "install", "faults"];
const isOnCluster = process.env["GLOVEBOX_TEST_CLUSTER"] === "true";
const testsOf = (name: string) => `test/${name}/**/*.test.ts`;

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // One module graph for each of the two threads instead of one for each file: a third less work.
          pool: "threads",
          isolate: false,
          testTimeout: 30_000,
          include: [
            "{contract,domain,scan-run,report,egress,settings,store,kube,k8s,controller,api,scanner-job,demo,dashboard,cli,bench}/src/**/*.test.ts",
            "scripts/**/*.test.{ts,mjs}",
            ...withoutPrograms,
          ],
          exclude: [...needsPrograms, ...startsPrograms, ...ofChecks],
        },
      },
      {
        extends: true,
        test: {
          name: "unit-messages",
          pool: "threads",
          isolate: false,
          testTimeout: 30_000,
          setupFiles: ["scanner-job/src/testing/one-message.ts"],
          include: decidesByFacts,
          exclude: decidesOtherwise,
        },
      },
      {
        extends: true,
        test: { name: "chart", testTimeout: 30_000, include: [ofChart] },
      },
      {
        extends: true,
        test: { name: "checks", pool: "threads", isolate: false, testTimeout: 30_000, include: ofChecks },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: [...needsPrograms, ...startsPrograms, "test/**/*.test.ts"],
          exclude: [
            "**/node_modules/**",
            "**/dist/**",
            ofChart,
            ...withoutPrograms,
            ...ofCluster.map(testsOf),
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: ["test/support/postgres.ts"],
        },
      },
      ...ofCluster.map((name) => ({
        extends: true,
        test: {
          name,
          include: isOnCluster ? [testsOf(name)] : [],
          exclude: withoutPrograms,
          // One after another: a cluster has one network, and some tests change how it enforces policies.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          globalSetup: ["test/support/postgres.ts"],
        },
      })),
    ],
  },
});
