import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, page, rowsWith, text, titled } from "../../../signatures/content.ts";
import { isObject, listMember, member, objectMember } from "../../../json.ts";

export const operationExposures = exposures(
  {
    group: "Monitoring, clusters and pipelines",
    ofProducts: true,
    cwe: 306,
    description:
      "An operations system, such as monitoring or deployment, is accessible without credentials. An attacker learns how the application is built and run, and some of these systems execute commands.",
    remediation: "Restrict it to a management network, and require authentication.",
  },
  [
    {
      name: "grafana",
      title: "Grafana exposed without login",
      severity: "high",
      paths: ["/api/datasources", "/api/org", "/grafana/api/org"],
      content: either(
        json("the Grafana data sources", rowsWith("type", "url", "access")),
        keys("id", "name", "address"),
      ),
    },
    {
      name: "prometheus-config",
      title: "Prometheus exposed",
      severity: "medium",
      paths: ["/api/v1/status/config", "/api/v1/targets", "/prometheus/api/v1/targets"],
      content: json(
        "the Prometheus configuration or targets",
        (value) => "yaml" in objectMember(value, "data") || "activeTargets" in objectMember(value, "data"),
      ),
    },
    {
      name: "alertmanager",
      title: "Alertmanager exposed",
      severity: "medium",
      paths: ["/api/v2/status"],
      content: json(
        "the Alertmanager configuration",
        (value) => "original" in objectMember(value, "config") && isObject(member(value, "cluster")),
      ),
    },
    {
      name: "loki",
      title: "Loki exposed",
      severity: "high",
      paths: ["/loki/api/v1/labels"],
      content: json(
        "the Loki labels",
        (value) => member(value, "status") === "success" && listMember(value, "data").length > 0,
      ),
    },
    {
      name: "traces",
      title: "Traces exposed (Jaeger, Zipkin)",
      severity: "medium",
      paths: ["/jaeger/api/services", "/api/services", "/zipkin/api/v2/services"],
      content: json(
        "the Jaeger services",
        (value) =>
          isObject(value) &&
          Array.isArray(value["data"]) &&
          "total" in value &&
          "limit" in value &&
          "errors" in value,
      ),
    },
    {
      name: "kubernetes-api",
      title: "Kubernetes API exposed",
      severity: "critical",
      paths: ["/api/v1/namespaces", "/pods", "/runningpods/", "/api/v1/pods"],
      content: json("Kubernetes objects", (value) =>
        /^(Namespace|Pod)List$/.test(String(member(value, "kind"))),
      ),
    },
    {
      name: "kubernetes-state",
      title: "Kubernetes metrics exposed",
      severity: "medium",
      large: true,
      paths: ["/metrics/cadvisor", "/federate?match[]=up"],
      content: text("container metrics", /^(container_|kube_)\w+/m),
    },
    {
      name: "docker-api",
      title: "Docker API exposed",
      severity: "critical",
      paths: ["/containers/json", "/version"],
      content: either(
        json("the Docker containers", rowsWith("Id", "ImageID", "Image")),
        keys("ApiVersion", "MinAPIVersion"),
      ),
    },
    {
      name: "docker-registry",
      title: "Container registry exposed",
      severity: "high",
      paths: ["/v2/_catalog"],
      content: json("the registry's repositories", (value) =>
        listMember(value, "repositories").some((name) => typeof name === "string"),
      ),
    },
    {
      name: "consul",
      title: "Consul exposed",
      severity: "high",
      paths: ["/v1/agent/self", "/v1/catalog/services", "/v1/kv/?keys"],
      content: json(
        "the Consul state",
        (value) => "Datacenter" in objectMember(value, "Config") || Array.isArray(member(value, "consul")),
      ),
    },
    {
      name: "nomad",
      title: "Nomad exposed",
      severity: "high",
      paths: ["/v1/jobs"],
      content: json("the Nomad jobs", rowsWith("JobSummary", "ID")),
    },
    {
      name: "vault",
      title: "Vault reachable",
      severity: "info",
      paths: ["/v1/sys/seal-status"],
      content: keys("sealed", "t", "n"),
    },
    {
      name: "rabbitmq",
      title: "RabbitMQ management exposed",
      severity: "high",
      paths: ["/api/overview", "/rabbitmq/api/overview"],
      content: keys("management_version", "rabbitmq_version"),
    },
    {
      name: "jenkins",
      title: "Jenkins exposed",
      severity: "high",
      paths: ["/api/json?tree=jobs[name]", "/jenkins/api/json", "/asynchPeople/"],
      content: either(
        json("the Jenkins jobs", (value) =>
          /hudson\.model\.|jenkins\./.test(String(member(value, "_class"))),
        ),
        titled("the Jenkins script console", /script console|people - \[jenkins\]/i),
      ),
    },
    {
      name: "gitlab-users",
      title: "Code host users exposed (GitLab, Gitea)",
      severity: "medium",
      paths: ["/api/v4/users", "/api/v1/users/search"],
      content: either(
        json("the GitLab users", rowsWith("username", "avatar_url", "web_url")),
        json(
          "the Gitea users",
          (value) =>
            listMember(value, "data").length > 0 && rowsWith("login", "avatar_url")(member(value, "data")),
        ),
      ),
    },
    {
      name: "argocd",
      title: "Argo CD applications exposed",
      severity: "high",
      paths: ["/api/v1/applications"],
      content: json("the Argo CD applications", (value) =>
        /"argocd|argoproj\.io/.test(JSON.stringify(value)),
      ),
    },
    {
      name: "airflow",
      title: "Airflow exposed",
      severity: "high",
      paths: ["/api/v1/dags", "/airflow/api/v1/dags"],
      content: json("the Airflow workflows", (value) =>
        listMember(value, "dags").some((row) => isObject(row) && "dag_id" in row),
      ),
    },
    {
      name: "nexus",
      title: "Artifact repositories exposed (Nexus)",
      severity: "low",
      paths: ["/service/rest/v1/repositories"],
      content: json("the Nexus repositories", rowsWith("name", "format", "type", "url")),
    },
    {
      name: "spark",
      title: "Spark applications exposed",
      severity: "high",
      paths: ["/api/v1/applications?limit=5"],
      content: json(
        "the Spark applications",
        (value) => Array.isArray(value) && /"sparkUser":/.test(JSON.stringify(value)),
      ),
    },
    {
      name: "cadvisor",
      title: "cAdvisor exposed",
      severity: "medium",
      paths: ["/containers/"],
      content: page("the cAdvisor page", /<title>[^<]{0,20}cAdvisor/i),
    },
  ],
);
