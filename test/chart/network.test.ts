import { describe, expect, test } from "vitest";
import { EVERYTHING, EXTERNAL, type Manifest, find, podsOf, render } from "./helm.ts";

/** The TCP ports to which this policy allows egress. */
const egressPorts = (manifests: readonly Manifest[], name: string): number[] =>
  find(manifests, "NetworkPolicy", name)["spec"].egress.flatMap(({ ports }: Manifest) =>
    ports
      .filter(({ protocol }: Manifest) => protocol === "TCP")
      .map(({ port }: { readonly port: number }) => port),
  );

describe("the ports of PostgreSQL and Redis", () => {
  const urls = (postgres: string, redis = "redis://cache.example.com") =>
    render({ postgres: { url: postgres }, redis: { url: redis } });

  test.each([
    ["postgres://u:p@db.example.com:6432/glovebox", [6432]],
    ["postgres://u:p%40:1@db.example.com:6432/glovebox?sslmode=require", [6432]],
    ["postgresql://u:p@[2001:db8::1]:6432,db.example.com:6433/glovebox", [6432, 6433]],
    ["postgres://u:p@db.example.com/glovebox?port=1", []],
    ["postgres://u:9999@db.example.com", []],
  ])(
    "the ports of PostgreSQL and Redis in %s are allowed to the migration, the API and the controller",
    (url, ports) => {
      const manifests = urls(url);
      for (const name of ["glovebox-migrate", "glovebox-api", "glovebox-controller"]) {
        const own = egressPorts(manifests, name).filter(
          (port) => ![53, 443, 6443, 6379, 8099].includes(port),
        );
        expect(own, name).toEqual([5432, ...ports]);
      }
    },
  );

  test("the ports of PostgreSQL and Redis in redis.url are allowed to the API", () => {
    const manifests = urls("postgres://db", "rediss://:p@cache.example.com:6390");
    expect(egressPorts(manifests, "glovebox-api")).toEqual(expect.arrayContaining([6379, 6390]));
  });
});

test("with networkPolicy.apiFrom, the pod of helm test may call the API too", () => {
  const apiFrom = [{ namespaceSelector: { matchLabels: { team: "a" } } }];
  const manifests = render({ ...EXTERNAL, networkPolicy: { apiFrom } });
  const [{ from }] = find(manifests, "NetworkPolicy", "glovebox-api")["spec"].ingress;
  expect(from[0]).toEqual(apiFrom[0]);
  const { labels } = find(manifests, "Pod", "glovebox-test-api")["metadata"];
  expect(labels).toMatchObject(from[1].podSelector.matchLabels);
  expect(from).toHaveLength(2);
  const [open] = find(render(EXTERNAL), "NetworkPolicy", "glovebox-api")["spec"].ingress;
  expect(open).not.toHaveProperty("from");
});

describe("the metrics of the API", () => {
  const manifests = render({ ...EVERYTHING, networkPolicy: { metricsFrom: [{ podSelector: {} }] } });
  const [{ ports, env }] = find(manifests, "Deployment", "glovebox-api")["spec"].template.spec.containers;

  test("the metrics of the API have a separate port, which neither the Ingress nor the route nor its Service publishes", () => {
    expect(env).toContainEqual({ name: "GLOVEBOX_METRICS_PORT", value: "9090" });
    expect(ports).toContainEqual({ name: "metrics", containerPort: 9090, protocol: "TCP" });
    const published = find(manifests, "Service", "glovebox-api")["spec"].ports;
    expect(published.map(({ targetPort }: Manifest) => targetPort)).toEqual(["http"]);
    for (const kind of ["Ingress", "HTTPRoute"])
      expect(JSON.stringify(find(manifests, kind, "glovebox-api"))).not.toContain("metrics");
  });

  test("the metrics of the API are found through a headless Service, by the pods that metricsFrom names", () => {
    const { spec } = find(manifests, "Service", "glovebox-api-metrics");
    expect(spec).toMatchObject({ clusterIP: "None", ports: [{ name: "metrics", targetPort: "metrics" }] });
    const monitor = find(manifests, "ServiceMonitor", "glovebox-api");
    expect(monitor["spec"].endpoints).toMatchObject([{ port: "metrics", path: "/metrics" }]);
    expect(find(manifests, "NetworkPolicy", "glovebox-api")["spec"].ingress).toContainEqual({
      ports: [{ protocol: "TCP", port: 9090 }],
      from: [{ podSelector: {} }],
    });
  });
});

test("each container that runs on has a liveness probe, except PostgreSQL of an evaluation, whose pod no upgrade may change", () => {
  const manifests = [...render({ evaluation: true }), ...render(EVERYTHING)];
  const names = podsOf(manifests).filter(({ name }) => name.startsWith("Deployment "));
  expect(names.length).toBeGreaterThan(7);
  const without = names.filter(({ spec }) =>
    (spec["containers"] as object[]).some((container) => !("livenessProbe" in container)),
  );
  expect(without.map(({ name }) => name)).toEqual(["Deployment glovebox-postgres"]);
});
