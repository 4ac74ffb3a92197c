import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { javaExposures } from "./java.ts";

testExposures(javaExposures, {
  eureka: [{ applications: { application: [] } }, { applications: [] }],
  "spring-admin": [[{ id: "a", registration: { healthUrl: "http://a/health" } }], [{ id: "a" }]],
  "spring-config-server": [{ name: "a", profiles: ["default"], propertySources: [] }, { name: "a" }],
  hystrix: [pageOf("Hystrix Dashboard"), pageOf("Hedgehogs")],
  "dropwizard-metrics": [{ version: "4.0.0", gauges: {}, meters: {}, timers: {} }, { gauges: [] }],
  "h2-console": [pageOf("H2 Console"), pageOf("Console")],
  druid: [pageOf("Druid Stat Index"), pageOf("Druids")],
  "druid-statistics": [{ ResultCode: 1, Content: [] }, { ResultCode: 1 }],
  javamelody: [pageOf("Monitoring of app", "JavaMelody"), pageOf("Monitoring of app")],
  "web-xml": ["<web-app version='4'></web-app>", "<app></app>"],
  "tomcat-examples": [pageOf("Servlet Examples"), pageOf("Examples")],
  "tomcat-manager": [pageOf("/manager"), pageOf("Manager")],
  "jmx-console": [pageOf("JBoss JMX Management Console"), pageOf("Console")],
  weblogic: [pageOf("Oracle WebLogic Server Administration Console"), pageOf("Log in")],
  "quarkus-dev": [pageOf("Dev UI", "quarkus"), pageOf("Dev UI")],
  "quarkus-arc": [[{ kind: "CLASS", qualifiers: [] }], [{ kind: "bean" }]],
  "micronaut-routes": ['{"{[/users],method=[GET]}":{"method":"a"}}', { routes: [] }],
  solr: [{ lucene: { "solr-spec-version": "9" } }, { lucene: {} }],
});
