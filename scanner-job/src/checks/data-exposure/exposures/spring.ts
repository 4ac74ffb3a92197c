import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, magic, repeated, text } from "../../../signatures/content.ts";
import { isObject, member, objectMember } from "../../../json.ts";

/** Prefixes under which actuators are served, the most common first; Spring Boot 1 has none. */
const at = (name: string, ...others: readonly string[]): [string, ...string[]] => [
  `/actuator/${name}`,
  ...["/manage", "/management", "/admin", "/api/actuator"].map((prefix) => `${prefix}/${name}`),
  ...others,
];

/**
 * The same as other servers read them: a guard or a proxy in front compares `/actuator` with the path as it was sent, and Spring
 * takes parameters (`;`), `..;` and encoded letters out of it.
 */
const spelledOtherwise = (name: string): string[] =>
  ["/actuator;", "/..;/actuator", "/%61ctuator"].map((prefix) => prefix + name);

export const springExposures = exposures(
  {
    group: "Spring Boot",
    product: "spring",
    below: "base",
    cwe: 489,
    description:
      "A Spring Boot Actuator endpoint is accessible without credentials. An attacker can read configuration, credentials or traffic of the application, and change its behavior with some endpoints.",
    remediation:
      "Expose only `health` (`management.endpoints.web.exposure.include`), serve the others on a port that is not reachable from the public, or require administrator credentials.",
  },
  [
    {
      name: "spring-actuators",
      title: "Spring Boot actuator index exposed",
      severity: "low",
      paths: ["/actuator", "/manage", "/management", ...spelledOtherwise("")],
      content: json("JSON with links to actuators other than health and info", (value) =>
        Object.keys(objectMember(value, "_links")).some((name) =>
          /^(env|beans|heapdump|mappings|configprops|loggers|threaddump|metrics|httpexchanges|logfile|gateway|jolokia|prometheus|caches|sessions)$/.test(
            name,
          ),
        ),
      ),
    },
    {
      name: "spring-env",
      title: "Spring Boot environment exposed",
      severity: "high",
      everywhere: true,
      paths: at("env", "/env", ...spelledOtherwise("/env")),
      content: either(
        keys("propertySources"),
        keys("systemProperties", "systemEnvironment"),
        keys("profiles", "systemProperties"),
      ),
    },
    {
      name: "spring-heapdump",
      title: "Spring Boot heap dump exposed",
      severity: "critical",
      large: true,
      paths: at("heapdump", "/heapdump", ...spelledOtherwise("/heapdump")),
      content: magic("Java heap dump", "gzip"),
    },
    {
      name: "spring-configprops",
      title: "Spring Boot configuration properties exposed",
      severity: "high",
      paths: at("configprops", "/configprops"),
      content: json("JSON with configuration property prefixes", (value) =>
        /"prefix":"[\w.-]+","properties":/.test(JSON.stringify(value)),
      ),
    },
    {
      name: "spring-httpexchanges",
      title: "Spring Boot HTTP traffic exposed",
      severity: "high",
      paths: [...at("httpexchanges"), "/actuator/httptrace", "/httptrace", "/trace"] as [string, ...string[]],
      content: json("JSON with requests of other clients", (value) => {
        const rows = member(value, "exchanges") ?? member(value, "traces") ?? value;
        return (
          Array.isArray(rows) &&
          rows.length > 0 &&
          rows.every((row) => isObject(row) && ("request" in row || ("timestamp" in row && "info" in row)))
        );
      }),
    },
    {
      name: "spring-logfile",
      title: "Spring Boot log exposed",
      severity: "medium",
      paths: at("logfile", "/logfile"),
      content: repeated("an application log", 3, /^\d{4}-\d\d-\d\d.{1,30}\b(?:INFO|WARN|ERROR|DEBUG)\b/gm),
    },
    {
      name: "spring-jolokia",
      title: "JMX exposed (Jolokia)",
      severity: "high",
      paths: ["/actuator/jolokia", "/jolokia", "/jolokia/version", "/api/jolokia"],
      content: json(
        "JSON with the agent's version and protocol",
        (value) => "agent" in objectMember(value, "value") && "protocol" in objectMember(value, "value"),
      ),
    },
    {
      name: "spring-gateway-routes",
      title: "Spring Cloud Gateway routes exposed",
      severity: "high",
      paths: at("gateway/routes"),
      content: json(
        "JSON with routes",
        (value) =>
          Array.isArray(value) &&
          value.some(
            (row) => isObject(row) && "route_id" in row && ("predicate" in row || "route_definition" in row),
          ),
      ),
    },
    {
      name: "spring-mappings",
      title: "Spring Boot request mappings exposed",
      severity: "medium",
      paths: at("mappings", "/mappings"),
      content: text(
        "JSON with request mappings",
        /^\s*\{/,
        /"dispatcherServlets?"\s*:|"dispatcherHandlers"\s*:|"\{\[\/[^"]{0,200}\],methods=/,
      ),
    },
    {
      name: "spring-beans",
      title: "Spring Boot beans exposed",
      severity: "low",
      paths: at("beans", "/beans"),
      content: json("JSON with beans", (value) =>
        Object.values(objectMember(value, "contexts")).some((context) => isObject(member(context, "beans"))),
      ),
    },
    {
      name: "spring-threaddump",
      title: "Spring Boot thread dump exposed",
      severity: "medium",
      paths: at("threaddump", "/dump"),
      content: text("JSON with process threads", /^\s*[[{]/, /"threadState"\s*:/, /"threadName"\s*:/),
    },
    {
      name: "spring-loggers",
      title: "Spring Boot loggers exposed",
      severity: "low",
      paths: at("loggers", "/loggers"),
      content: keys("levels", "loggers"),
    },
    {
      name: "spring-sessions",
      title: "Spring Boot sessions exposed",
      severity: "high",
      paths: at("sessions"),
      content: json("JSON with sessions", (value) => {
        const sessions = member(value, "sessions");
        return Array.isArray(sessions) && sessions.some((session) => isObject(session) && "id" in session);
      }),
    },
    {
      name: "spring-scheduledtasks",
      title: "Spring Boot scheduled tasks exposed",
      severity: "low",
      paths: at("scheduledtasks"),
      content: keys("cron", "fixedRate"),
    },
    {
      name: "spring-auditevents",
      title: "Spring Boot audit events exposed",
      severity: "medium",
      paths: at("auditevents", "/auditevents"),
      content: text("JSON with audit events and their users", /^\s*\{"events"\s*:/, /"principal"\s*:/),
    },
    {
      name: "spring-migrations",
      title: "Spring Boot database migrations exposed",
      severity: "low",
      paths: [...at("flyway"), "/actuator/liquibase"] as [string, ...string[]],
      content: text("JSON with database migrations", /^\s*\{/, /"installedRank"\s*:|"changeSets"\s*:/),
    },
    {
      name: "spring-quartz",
      title: "Spring Boot jobs exposed (Quartz)",
      severity: "low",
      paths: at("quartz"),
      content: keys("jobs", "triggers"),
    },
    {
      name: "spring-caches",
      title: "Spring Boot caches exposed",
      severity: "low",
      paths: at("caches"),
      content: keys("cacheManagers"),
    },
    {
      name: "spring-startup",
      title: "Spring Boot start-up steps exposed",
      severity: "low",
      paths: at("startup"),
      content: keys("springBootVersion", "timeline"),
    },
    {
      name: "spring-conditions",
      title: "Spring Boot conditions exposed",
      severity: "low",
      paths: at("conditions", "/autoconfig"),
      content: text("JSON with configuration conditions", /^\s*\{/, /"positiveMatches"\s*:/),
    },
    {
      name: "spring-sbom",
      title: "Software bill of materials exposed",
      severity: "low",
      paths: ["/actuator/sbom/application", "/actuator/sbom", "/bom.json", "/sbom.json"],
      content: text("a bill of materials", /"bomFormat"\s*:\s*"CycloneDX"|"spdxVersion"\s*:/),
    },
  ],
);
