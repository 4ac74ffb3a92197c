import { FakeKubeApiserver } from "@glovebox/kube/testing";
import { expect, test } from "vitest";
import { backendsOf, serviceReader, type SliceList, withBackends } from "./service-backends.ts";

const MAX_BACKENDS = 64;

const service = {
  spec: {
    clusterIPs: ["10.96.0.7", "fd00::7"],
    ports: [
      { name: "https", port: 443 },
      { name: "http", port: 80 },
    ],
  },
};
const slice = (addresses: string[], more: object = {}, ports = [{ name: "https", port: 8443 }]) => ({
  ports,
  endpoints: [{ addresses, ...more }],
});
const pin = { host: "shop.team.svc", addresses: ["10.96.0.7"], ports: [443] };

test.each<[string, SliceList, number, string[]]>([
  [
    "of every slice and family",
    { items: [slice(["10.1.0.5"]), slice(["fd00:1::5"])] },
    443,
    ["10.1.0.5 8443", "fd00:1::5 8443"],
  ],
  [
    "that are ready, or do not say",
    {
      items: [slice(["10.1.0.5"], { conditions: { ready: false } }), slice(["10.1.0.6"], { conditions: {} })],
    },
    443,
    ["10.1.0.6 8443"],
  ],
  [
    "of the port with the same name",
    {
      items: [
        slice(["10.1.0.5"], {}, [
          { name: "http", port: 8080 },
          { name: "https", port: 8443 },
        ]),
      ],
    },
    80,
    ["10.1.0.5 8080"],
  ],
  ["of a port that the Service does not have", { items: [slice(["10.1.0.5"])] }, 8443, []],
  ["of a slice without ports", { items: [{ ports: null, endpoints: null }] }, 443, []],
  ["of no slice", { items: null }, 443, []],
])("the endpoints %s are found", (_, slices, port, expected) => {
  const found = backendsOf({ service, slices }, port);
  expect(found.map((one) => `${one.address} ${one.port}`)).toEqual(expected);
});

test("a Service with more endpoints than a policy should list is refused", async () => {
  const addresses = Array.from({ length: MAX_BACKENDS + 1 }, (_, index) => `10.1.0.${index}`);
  const found = { service, slices: { items: [slice(addresses)] } };
  const response = await withBackends([pin], { readService: async () => found, refusal: () => undefined });
  expect(response).toMatchObject({
    failure: { message: expect.stringContaining(`has more than ${MAX_BACKENDS} endpoints.`) },
  });
});

test("a pin that is not a cluster IP stays as it is", async () => {
  const other = { ...pin, addresses: ["10.1.0.5"] };
  const found = { service, slices: { items: [] } };
  const response = await withBackends([other], { readService: async () => found, refusal: () => "any" });
  expect(response).toEqual({ ok: true, pins: [other] });
});

test("Services are read by name and namespace, and others than Services, missing ones and forbidden ones are none", async () => {
  await using server = await FakeKubeApiserver.start();
  const client = server.client();
  const read = serviceReader(client.transport);
  const metadata = { name: "shop", namespace: "team" };
  server.collection("/api/v1/namespaces/team/services").create({ metadata, ...service } as never);
  const found = await read("shop.team.svc.cluster.local");
  expect(found?.service).toMatchObject(service);
  expect(server.requests.at(-1)!.query.get("labelSelector")).toBe("kubernetes.io/service-name=shop");

  expect(await read("missing.team.svc")).toBeUndefined();
  const before = server.requests.length;
  for (const host of ["shop.example.com", "team.svc", "10.96.0.7"]) expect(await read(host)).toBeUndefined();
  expect(server.requests).toHaveLength(before);
  server.fail({
    times: 1,
    matches: () => true,
    act: (response) => response.writeHead(403, { "content-type": "application/json" }).end("{}"),
  });
  expect(await read("shop.team.svc")).toBeUndefined();
  client.close();
});
