import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{contract,egress,store,api,scanner-job,demo,cli}/src/**/*.test.ts"],
          exclude: ["**/*.pg.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["**/*.pg.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: ["test/support/postgres.ts"],
        },
      },
    ],
  },
});
