import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, page, repeated, text } from "../../../signatures/content.ts";
import { isObject } from "../../../json.ts";

export const statusExposures = exposures(
  {
    group: "Status, metrics and directories of the server",
    cwe: 497,
    description:
      "The server exposes its status or a directory listing. An attacker can read requests of other clients, names of internal systems and unlinked files.",
    remediation: "Restrict access to the endpoint or require credentials, and disable directory listing.",
  },
  [
    {
      name: "directory-listing",
      title: "Directory listing enabled",
      severity: "medium",
      everywhere: true,
      below: "base",
      paths: [
        "/backup/",
        "/logs/",
        "/uploads/",
        "/files/",
        "/static/",
        "/ftp/",
        "/data/",
        "/tmp/",
        "/backups/",
        "/dump/",
        "/export/",
        "/public/",
        "/assets/",
        "/log/",
      ],
      content: either(
        page(
          "a directory listing",
          /<title>\s*(Index of|Directory listing for|Directory Listing --|listing directory) \/|\[To Parent Directory\]/i,
        ),
        json(
          "a directory listing in JSON",
          (value) =>
            Array.isArray(value) &&
            value.length > 0 &&
            value.every((row) => isObject(row) && "name" in row && "type" in row && "mtime" in row),
        ),
      ),
    },
    {
      name: "metrics",
      title: "Metrics exposed (Prometheus)",
      severity: "low",
      everywhere: true,
      below: "base",
      paths: [
        "/metrics",
        "/actuator/prometheus",
        "/prometheus",
        "/api/metrics",
        "/q/metrics",
        "/v1/metrics",
        "/admin/metrics",
      ],
      content: text(
        "metrics in Prometheus format",
        /^# TYPE \S+ (counter|gauge|histogram|summary|untyped|info)/m,
        /^[a-zA-Z_:][\w:]*(\{[^\n]{0,2000}\})? -?[\d.eE+NaIf-]+/m,
      ),
    },
    {
      name: "apache-status",
      title: "Apache status exposed",
      severity: "medium",
      product: "apache",
      paths: ["/server-status", "/status"],
      content: page("the Apache status", /<title>\s*Apache Status|Apache Server Status for/i),
    },
    {
      name: "apache-status-text",
      title: "Apache status exposed (text format)",
      severity: "low",
      product: "apache",
      paths: ["/server-status?auto"],
      content: text("the Apache status", /^Total Accesses: \d|^Scoreboard: /m),
    },
    {
      name: "apache-info",
      title: "Apache configuration exposed",
      severity: "medium",
      product: "apache",
      paths: ["/server-info"],
      content: page("the Apache configuration", /Apache Server Information/i),
    },
    {
      name: "nginx-status",
      title: "nginx status exposed",
      severity: "low",
      product: "nginx",
      paths: ["/nginx_status", "/basic_status", "/stub_status"],
      content: text("the nginx status", /^Active connections: \d+/),
    },
    {
      name: "nginx-statistics",
      title: "nginx statistics exposed",
      severity: "medium",
      product: "nginx",
      paths: ["/status/format/json", "/api/9/http/server_zones"],
      content: keys("nginxVersion", "serverZones"),
    },
    {
      name: "php-fpm-status",
      title: "PHP-FPM status exposed",
      severity: "low",
      product: "php",
      paths: ["/status", "/fpm-status", "/php-fpm-status"],
      content: text("the status of PHP-FPM", /^pool:\s+\S/m, /^process manager:\s/m),
    },
    {
      name: "haproxy",
      title: "HAProxy statistics exposed",
      severity: "medium",
      paths: ["/haproxy?stats", "/haproxy_stats", "/stats"],
      content: either(
        page("the HAProxy statistics", /Statistics Report for HAProxy/i),
        text("the HAProxy statistics", /^# pxname,svname,/),
      ),
    },
    {
      name: "traefik",
      title: "Traefik configuration exposed",
      severity: "medium",
      paths: ["/api/rawdata", "/api/http/routers"],
      content: either(
        json(
          "JSON with routers and services",
          (value) => isObject(value) && isObject(value["routers"]) && "services" in value,
        ),
        json(
          "JSON with routers",
          (value) =>
            Array.isArray(value) &&
            value.some((row) => isObject(row) && "entryPoints" in row && "rule" in row),
        ),
      ),
    },
    {
      name: "envoy",
      title: "Envoy administration exposed",
      severity: "high",
      large: true,
      paths: ["/config_dump", "/server_info", "/clusters"],
      content: text(
        "the Envoy administration",
        /type\.googleapis\.com\/envoy\.admin|"hot_restart_version"\s*:|::default_priority::/,
      ),
    },
    {
      name: "kong-admin",
      title: "Kong administration exposed",
      severity: "high",
      paths: ["/", "/kong", "/kong-admin/"],
      content: text("the Kong administration", /^\s*\{/, /"tagline"\s*:\s*"Welcome to kong"/),
    },
    {
      name: "apisix",
      title: "APISIX administration exposed",
      severity: "high",
      paths: ["/apisix/admin/routes"],
      content: text("JSON with routes of APISIX", /^\s*\{/, /"\/?apisix\/routes|"createdIndex"\s*:/),
    },
    {
      name: "crossdomain",
      title: "Overly permissive cross-domain policy",
      severity: "low",
      paths: ["/crossdomain.xml", "/clientaccesspolicy.xml"],
      content: text(
        "a policy that allows any site",
        /<cross-domain-policy>|<access-policy>/,
        /(domain|uri)="\*"/,
      ),
    },
    {
      name: "statsd",
      title: "Process statistics exposed",
      severity: "low",
      below: "base",
      paths: ["/stats", "/api/stats", "/status.json", "/healthz/details"],
      content: repeated(
        "JSON with process statistics",
        3,
        /"(?:pid|uptime|rss|heapUsed|heapTotal|loadavg|cpuUsage|memoryUsage|goroutines|num_threads)"\s*:/g,
      ),
    },
  ],
);
