import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { statusExposures } from "./status.ts";

testExposures(statusExposures, {
  "directory-listing": [pageOf("Index of /backup"), pageOf("Index of books")],
  metrics: ["# HELP a b\n# TYPE a_total counter\na_total 1\n", { visitors: 3 }],
  "apache-status": [pageOf("Apache Status"), pageOf("Status")],
  "apache-status-text": ["Total Accesses: 3\n", "Total: 3\n"],
  "apache-info": [pageOf("Server Information", "Apache Server Information"), pageOf("Information")],
  "nginx-status": ["Active connections: 3 \nserver accepts\n", "Active users: 3\n"],
  "nginx-statistics": [{ nginxVersion: "1.27", serverZones: {} }, { nginxVersion: "1.27" }],
  "php-fpm-status": ["pool:                 www\nprocess manager:      dynamic\n", "pool: open\n"],
  haproxy: [pageOf("Statistics Report for HAProxy"), pageOf("Statistics")],
  traefik: [{ routers: {}, services: {} }, { routers: 3 }],
  envoy: [
    { configs: [{ "@type": "type.googleapis.com/envoy.admin.v3.BootstrapConfigDump" }] },
    { configs: [] },
  ],
  "kong-admin": [{ tagline: "Welcome to kong" }, { tagline: "King Kong" }],
  apisix: [{ list: [{ key: "/apisix/routes/1" }] }, { list: [] }],
  crossdomain: [
    '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>',
    '<cross-domain-policy><allow-access-from domain="a.example"/></cross-domain-policy>',
  ],
  statsd: [{ pid: 1, uptime: 3, rss: 4 }, { uptime: 3 }],
});
