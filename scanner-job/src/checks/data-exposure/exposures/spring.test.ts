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
