import { defineCheck } from "../../engine/check.ts";
import { examineLeftover, leftoverSubjects, type Leftover } from "../../attacks/leftover.ts";
import { keysOf } from "../../oracles/records.ts";

export default defineCheck({
  id: "data-exposure/debug-endpoints",
  category: "dataExposure",
  title: "Debug or management endpoint exposed",
  severity: "medium",
  confidence: "confirmed",
  description:
    "An endpoint for operators of the API answers anyone. It discloses configuration, memory or traffic, and some of these endpoints accept commands.",
  rule: "The answer has the keys or the text of such an endpoint, and a random path is answered differently.",
  control: "A random path of the same shape.",
  remediation:
    "Serve such endpoints on a port of their own that the public cannot reach, or demand an administrator's credentials, and switch off unused ones.",
  references: {
    cwe: 489,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => leftoverSubjects(profile, ENDPOINTS),
  notApplicable: "This check applies to every target.",
  examine: examineLeftover,
});

const having =
  (...keys: string[]): Leftover["holds"] =>
  ({ json }) =>
    keys.every((key) => keysOf(json).has(key));
const containing =
  (...forms: RegExp[]): Leftover["holds"] =>
  ({ body }) =>
    forms.every((form) => form.test(body.slice(0, 65_536)));

const ENDPOINTS: readonly Leftover[] = [
  {
    path: "/actuator",
    below: "base",
    what: "the index of Spring Boot's actuators",
    severity: "low",
    holds: (reply) =>
      having("_links")(reply) && /\/(env|beans|heapdump|mappings|configprops|loggers)"/.test(reply.body),
  },
  {
    path: "/actuator/env",
    below: "base",
    what: "the running configuration (Spring Boot)",
    severity: "high",
    holds: having("propertySources"),
  },
  {
    path: "/env",
    what: "the running configuration (Spring Boot 1)",
    severity: "high",
    holds: having("systemProperties"),
  },
  {
    path: "/metrics",
    what: "the metrics of the process (Prometheus)",
    severity: "low",
    holds: containing(/^# TYPE \S+ (counter|gauge|histogram|summary|untyped)/m),
  },
  {
    path: "/debug/vars",
    what: "the variables of the process (Go expvar)",
    severity: "medium",
    holds: having("cmdline", "memstats"),
  },
  {
    path: "/debug/pprof/",
    what: "the profiler of the process (Go pprof)",
    severity: "medium",
    isPage: true,
    holds: containing(/\/debug\/pprof\//, /goroutine/),
  },
  {
    path: "/_profiler/empty/search/results",
    what: "the profiler of Symfony",
    severity: "high",
    isPage: true,
    holds: containing(/Symfony Profiler/i),
  },
  {
    path: "/console",
    what: "a console that runs code (Werkzeug)",
    severity: "high",
    isPage: true,
    holds: containing(/Interactive Console|EVALEX\s*=\s*true/, /__debugger__/),
  },
  {
    path: "/h2-console/",
    what: "the console of a database (H2)",
    severity: "high",
    isPage: true,
    holds: containing(/H2 Console/i),
  },
  {
    path: "/elmah.axd",
    what: "the log of errors (ELMAH)",
    severity: "high",
    isPage: true,
    holds: containing(/Error Log for/i),
  },
  {
    path: "/telescope/requests",
    what: "the log of requests (Laravel Telescope)",
    severity: "high",
    isPage: true,
    holds: containing(/<title>[^<]{0,60}Telescope/i),
  },
];
