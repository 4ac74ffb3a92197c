import { Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { ApiServerAddresses } from "./api-server-addresses.ts";
import type { KubeTransport } from "./client.ts";

afterEach(() => vi.useRealTimers());

const responding = (response: unknown): ReturnType<KubeTransport> =>
  Promise.resolve(Readable.from([Buffer.from(JSON.stringify(response))]));
const slice = (...addresses: string[][]) => ({ endpoints: addresses.map((those) => ({ addresses: those })) });

test("the addresses of all API servers are read at the start, and again when machines may have been replaced", async () => {
  vi.useFakeTimers();
  const transport = vi.fn<KubeTransport>();
  transport.mockReturnValueOnce(responding(slice(["192.0.2.1"], ["192.0.2.2", "192.0.2.1"])));
  transport.mockReturnValueOnce(responding(slice(["2001:db8::3"])));
  const servers = new ApiServerAddresses({ transport, onFailure: () => undefined, everyMs: 1000 });
  await servers.start();
  expect(servers.list).toEqual(["192.0.2.1", "192.0.2.2"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(servers.list).toEqual(["2001:db8::3"]);
  servers.stop();
  await vi.advanceTimersByTimeAsync(5000);
  const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
  expect(transport.mock.calls).toEqual([[{ path }], [{ path }]]);
});

test("what was read stays while it cannot be read any more, and that is told once", async () => {
  const transport = vi.fn<KubeTransport>();
  transport.mockReturnValueOnce(responding(slice(["192.0.2.1"]))).mockRejectedValue(new Error("away"));
  const onFailure = vi.fn<(error: unknown) => void>();
  const servers = new ApiServerAddresses({ transport, onFailure });
  for (let looks = 0; looks < 4; looks++) await servers.refresh();
  expect(servers.list).toEqual(["192.0.2.1"]);
  expect(onFailure).toHaveBeenCalledTimes(1);
});

test.each([[{}], [{ endpoints: null }]])("a slice without endpoints names none: %j", async (empty) => {
  const onFailure = vi.fn<(error: unknown) => void>();
  const servers = new ApiServerAddresses({ transport: () => responding(empty), onFailure });
  await servers.refresh();
  expect([servers.list, onFailure.mock.calls]).toEqual([[], []]);
});

test.each([["text"], [slice(["not an address"])]])(
  "what is not a slice is a failure: %j",
  async (response) => {
    const onFailure = vi.fn<(error: unknown) => void>();
    const servers = new ApiServerAddresses({ transport: () => responding(response), onFailure });
    await servers.refresh();
    expect(onFailure).toHaveBeenCalledTimes(1);
  },
);
