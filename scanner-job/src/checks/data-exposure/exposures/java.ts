import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, page, text, titled } from "../../../signatures/content.ts";
import { isObject, member, objectMember } from "../../../json.ts";

export const javaExposures = exposures(
  {
    group: "Java, Spring Cloud and application servers",
    product: "java",
    cwe: 489,
    description:
      "A management page or endpoint of a Java application is accessible without credentials. An attacker can read its configuration, traffic or services, or access its database.",
    remediation:
      "Serve it on a port that is not reachable from the public, or require administrator credentials, and disable endpoints that production does not need.",
  },
  [
    {
      name: "eureka",
      title: "Service registry exposed (Eureka)",
      severity: "high",
      paths: ["/eureka/apps", "/eureka/v2/apps"],
      content: either(
        text("a list of registered services", /<applications>/, /<instance>/),
        json(
          "JSON with registered services",
          (value) => "application" in objectMember(value, "applications"),
        ),
      ),
    },
    {
      name: "spring-admin",
      title: "Spring Boot Admin exposed",
      severity: "high",
      paths: ["/instances", "/applications"],
      content: json(
        "JSON with instances and their management addresses",
        (value) =>
          Array.isArray(value) &&
          value.some((row) => isObject(row) && /"(healthUrl|managementUrl)":/.test(JSON.stringify(row))),
      ),
    },
    {
      name: "spring-config-server",
      title: "Spring Cloud Config Server exposed",
      severity: "critical",
      product: "spring",
      paths: ["/application/default", "/config/application/default"],
      content: keys("name", "profiles", "propertySources"),
    },
    {
      name: "hystrix",
      title: "Hystrix stream exposed",
      severity: "low",
      large: true,
      paths: ["/hystrix", "/hystrix/"],
      content: titled("Hystrix", /hystrix dashboard/i),
    },
    {
      name: "dropwizard-metrics",
      title: "Application metrics exposed (Dropwizard)",
      severity: "low",
      paths: ["/admin/metrics", "/metrics"],
      content: keys("gauges", "meters", "timers"),
    },
    {
      name: "h2-console",
      title: "Database console exposed (H2)",
      severity: "high",
      product: "spring",
      paths: ["/h2-console/", "/h2", "/console/h2"],
      content: page("the H2 database console", /<title>[^<]{0,20}H2 Console/i),
    },
    {
      name: "druid",
      title: "Druid monitor exposed",
      severity: "high",
      paths: ["/druid/index.html", "/druid/weburi.html"],
      content: page("the Druid statistics", /<title>Druid (Stat|Uri|SQL|URI)/i),
    },
    {
      name: "druid-statistics",
      title: "Druid statistics exposed",
      severity: "high",
      paths: ["/druid/sql.json", "/druid/weburi.json", "/druid/websession.json"],
      content: json(
        "JSON with statistics of Druid",
        (value) => member(value, "ResultCode") === 1 && "Content" in (value as object),
      ),
    },
    {
      name: "javamelody",
      title: "JavaMelody exposed",
      severity: "high",
      paths: ["/monitoring", "/javamelody"],
      content: page(
        "the JavaMelody statistics",
        /JavaMelody/,
        /<title>[^<]{0,100}(Monitoring|Statistics|JavaMelody)/i,
      ),
    },
    {
      name: "web-xml",
      title: "Deployment descriptor exposed (WEB-INF)",
      severity: "high",
      paths: ["/WEB-INF/web.xml", "/META-INF/MANIFEST.MF", "/WEB-INF/classes/application.properties"],
      content: text(
        "a file from the application archive",
        /<web-app[\s>]|^Manifest-Version: \d|^spring\.[\w.-]{3,80}=/m,
      ),
    },
    {
      name: "tomcat-examples",
      title: "Tomcat example applications exposed",
      severity: "low",
      paths: ["/examples/servlets/", "/examples/"],
      content: page("the Apache Tomcat examples", /Apache Tomcat Examples|Servlet Examples/i),
    },
    {
      name: "tomcat-manager",
      title: "Tomcat Manager exposed",
      severity: "high",
      paths: ["/manager/html", "/manager/status", "/host-manager/html"],
      content: page(
        "the Tomcat manager",
        /<title>\/manager|Tomcat Web Application Manager|Server Status<\/title>/i,
      ),
    },
    {
      name: "jmx-console",
      title: "JBoss console exposed",
      severity: "high",
      paths: ["/jmx-console/", "/web-console/", "/admin-console/"],
      content: page("a JBoss console", /<title>[^<]{0,40}JBoss (JMX|Management|Administration)/i),
    },
    {
      name: "weblogic",
      title: "WebLogic console exposed",
      severity: "medium",
      paths: ["/console/login/LoginForm.jsp"],
      content: page("the login page of the WebLogic console", /WebLogic Server/i),
    },
    {
      name: "quarkus-dev",
      title: "Quarkus development console exposed",
      severity: "high",
      product: "quarkus",
      paths: ["/q/dev-ui/", "/q/dev/", "/q/dev-ui/extensions"],
      content: page(
        "the Quarkus development console",
        /<title>[^<]{0,40}(Dev UI|Quarkus)/i,
        /quarkus|dev-ui/i,
      ),
    },
    {
      name: "quarkus-arc",
      title: "Quarkus beans exposed",
      severity: "low",
      product: "quarkus",
      paths: ["/q/arc/beans", "/q/arc"],
      content: json(
        "JSON with beans",
        (value) =>
          Array.isArray(value) && value.some((row) => isObject(row) && "kind" in row && "qualifiers" in row),
      ),
    },
    {
      name: "micronaut-routes",
      title: "Micronaut routes exposed",
      severity: "low",
      paths: ["/routes"],
      content: text("JSON with routes of Micronaut", /^\s*\{"\{\[\/[^\]]{0,200}\],method=\[/),
    },
    {
      name: "solr",
      title: "Solr administration exposed",
      severity: "high",
      paths: ["/solr/admin/info/system?wt=json", "/solr/admin/cores?wt=json"],
      content: text(
        "JSON from the Solr administration",
        /^\s*\{/,
        /"solr-spec-version"\s*:|"instanceDir"\s*:/,
      ),
    },
  ],
);
