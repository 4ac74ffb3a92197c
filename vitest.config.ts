import { defineConfig } from "vitest/config";

// *.pg, *.redis and *.browser tests start PostgreSQL, redis-server and Chromium: scripts/test.mjs knows what is installed.
const needsPrograms = ["**/*.pg.test.ts", "**/*.redis.test.ts", "**/*.browser.test.ts"];

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "{contract,egress,store,api,scanner-job,demo,cli}/src/**/*.test.ts",
            "scripts/pages/*.test.ts",
          ],
          exclude: needsPrograms,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: [...needsPrograms, "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: ["test/support/postgres.ts"],
        },
      },
    ],
  },
});
