import { instancesOf } from "@glovebox/domain";
import { expect, test } from "vitest";
import { fakeApi, type FakeResponse } from "../../../testing/fake-api.ts";
import { scanWith } from "../../../testing/test-check.ts";
import { testExposures } from "../../../testing/test-exposures.ts";
import { springExposures } from "./spring.ts";

const rest = "a".repeat(200);

testExposures(springExposures, {
  "spring-actuators": [
    { _links: { self: { href: "/actuator" }, env: { href: "/actuator/env" } } },
    { _links: { self: { href: "/actuator" }, health: { href: "/actuator/health" } } },
  ],
  "spring-env": [{ activeProfiles: [], propertySources: [] }, { activeProfiles: [] }],
  "spring-heapdump": [`JAVA PROFILE 1.0.2\0${rest}`, `heap ${rest}`],
  "spring-configprops": [
    { contexts: { a: { beans: { b: { prefix: "spring.data", properties: {} } } } } },
    { contexts: {} },
  ],
  "spring-httpexchanges": [{ exchanges: [{ request: { uri: "/" } }] }, { exchanges: [] }],
  "spring-logfile": ["2026-11-22 10:00:00 INFO a\n".repeat(3), "2026-11-22 10:00:00 a\n".repeat(3)],
  "spring-jolokia": [{ value: { agent: "2.0", protocol: "8.0" } }, { value: { agent: "007" } }],
  "spring-gateway-routes": [[{ route_id: "a", predicate: "b" }], [{ id: "a" }]],
  "spring-mappings": [{ contexts: { a: { mappings: { dispatcherServlets: {} } } } }, { mappings: {} }],
  "spring-beans": [{ contexts: { a: { beans: { b: {} } } } }, { beans: ["coffee"] }],
  "spring-threaddump": [{ threads: [{ threadName: "main", threadState: "RUNNABLE" }] }, { threads: 3 }],
  "spring-loggers": [{ levels: ["OFF"], loggers: {} }, { levels: [1, 2] }],
  "spring-sessions": [{ sessions: [{ id: "a" }] }, { sessions: 3 }],
  "spring-scheduledtasks": [{ cron: [], fixedRate: [] }, { cron: "0 0 * * *" }],
  "spring-auditevents": [{ events: [{ principal: "ines" }] }, { events: [{ title: "Fair" }] }],
  "spring-migrations": [
    { contexts: { a: { flywayBeans: { b: { migrations: [{ installedRank: 1 }] } } } } },
    { contexts: {} },
  ],
  "spring-quartz": [{ jobs: { groups: [] }, triggers: { groups: [] } }, { jobs: [] }],
  "spring-caches": [{ cacheManagers: {} }, { caches: [] }],
  "spring-startup": [{ springBootVersion: "3.4.0", timeline: {} }, { timeline: [] }],
  "spring-conditions": [{ contexts: { a: { positiveMatches: {} } } }, { contexts: {} }],
  "spring-sbom": [{ bomFormat: "CycloneDX" }, { format: "bom" }],
});

const denied: FakeResponse = { status: 403, json: { error: "Forbidden" } };
const environment = { activeProfiles: [], propertySources: [] };
const spellings = ["/actuator;/env", "/..;/actuator/env", "/%61ctuator/env"];

test.each(spellings)(
  "an environment that is refused at its address and shown at %s is reported there",
  async (path) => {
    const { findings } = await scanWith(
      springExposures.filter(({ id }) => id.endsWith("spring-env")),
      {
        name: path,
        target: fakeApi({
          "GET /": { json: {} },
          "GET /actuator/env": denied,
          [`GET ${path}`]: { json: environment },
        }),
      },
    );
    expect(findings.flatMap(instancesOf).map(({ location }) => location.path)).toEqual([path]);
  },
);

test("an environment that is refused however its address is spelled is not reported", async () => {
  const routes = Object.fromEntries(spellings.map((path) => [`GET ${path}`, denied]));
  const { findings } = await scanWith(
    springExposures.filter(({ id }) => id.endsWith("spring-env")),
    {
      name: "a guard that normalises paths",
      target: fakeApi({ "GET /": { json: {} }, "GET /actuator/env": denied, ...routes }),
    },
  );
  expect(findings).toEqual([]);
});
