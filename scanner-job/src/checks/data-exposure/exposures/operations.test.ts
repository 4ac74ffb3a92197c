import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { operationExposures } from "./operations.ts";

testExposures(operationExposures, {
  grafana: [[{ type: "prometheus", url: "http://p", access: "proxy" }], [{ type: "a" }]],
  "prometheus-config": [{ status: "success", data: { yaml: "global: {}" } }, { data: {} }],
  alertmanager: [{ config: { original: "" }, cluster: {} }, { config: {} }],
  loki: [
    { status: "success", data: ["app"] },
    { status: "success", data: [] },
  ],
  traces: [
    { data: ["a"], total: 1, limit: 0, offset: 0, errors: null },
    { data: ["a"], total: 1 },
  ],
  "kubernetes-api": [
    { kind: "NamespaceList", items: [] },
    { kind: "Status", code: 403 },
  ],
  "kubernetes-state": ["container_cpu_usage_seconds_total 1\n", "cpu 1\n"],
  "docker-api": [[{ Id: "a", ImageID: "b", Image: "c" }], [{ id: "a" }]],
  "docker-registry": [{ repositories: ["app"] }, { repositories: [] }],
  consul: [{ Config: { Datacenter: "dc1" } }, { Config: {} }],
  nomad: [[{ ID: "a", JobSummary: {} }], [{ ID: "a" }]],
  vault: [{ sealed: false, t: 3, n: 5 }, { sealed: false }],
  rabbitmq: [{ management_version: "4", rabbitmq_version: "4" }, { version: "4" }],
  jenkins: [{ _class: "hudson.model.Hudson", jobs: [] }, { jobs: [] }],
  "gitlab-users": [[{ username: "ines", avatar_url: "a", web_url: "b" }], [{ username: "ines" }]],
  argocd: [{ items: [{ apiVersion: "argoproj.io/v1alpha1" }] }, { items: [] }],
  airflow: [{ dags: [{ dag_id: "a" }] }, { dags: [] }],
  nexus: [[{ name: "a", format: "npm", type: "hosted", url: "b" }], [{ name: "a" }]],
  spark: [[{ id: "a", attempts: [{ sparkUser: "root" }] }], [{ id: "a" }]],
  cadvisor: [pageOf("cAdvisor - /"), pageOf("Containers")],
});
