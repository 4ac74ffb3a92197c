import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpMethod, RequestContext } from "@kubernetes/client-node";
import type { Dispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRetryable } from "./kube-error.ts";
import { createTransport, readJson } from "./kube-transport.ts";
import { PooledKubeConfig } from "./pooled-kube-config.ts";
import { FakeKubeApiserver } from "./testing/fake-kube-apiserver.ts";

describe("requests to one cluster", () => {
  let server: FakeKubeApiserver;
  let config: PooledKubeConfig;
  beforeEach(async () => {
    server = await FakeKubeApiserver.start();
    config = server.config({ timeoutMs: 200 });
  });
  afterEach(async () => {
    await config.close();
    await server[Symbol.asyncDispose]();
  });

  test("one after another share connections instead of opening one each", async () => {
    const transport = createTransport(config);
    for (let turn = 0; turn < 20; turn += 1) {
      await (await transport({ path: "/api/v1/namespaces/scans/pods" })).json();
    }
    expect(server.requests).toHaveLength(20);
    // The end of an answer and the end of its connection's work are two moments: the next request may need a second one.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("name the controller as the user agent and carry its token", async () => {
    await (await createTransport(config)({ path: "/api/v1/pods" })).json();
    expect(server.requests.map(({ headers }) => [headers["user-agent"], headers.authorization])).toEqual([
      ["glovebox-controller", "Bearer token-of-a-test"],
    ]);
  });

  test("that hang end as a timeout, and the next one is answered", async () => {
    server.fail({ times: 1, matches: () => true, act: () => undefined });
    const list = async () => readJson("list pods", await createTransport(config)({ path: "/api/v1/pods" }));
    const hung: unknown = await list().catch((error: unknown) => error);
    expect(hung).toMatchObject({ reason: "Timeout" });
    expect(isRetryable(hung)).toBe(true);
    await expect(list()).resolves.toMatchObject({ items: [] });
  });

  test("are cut off in that time too when their answer never ends, unless they are streams", async () => {
    const transport = createTransport(config);
    const responses: ServerResponse[] = [];
    const act = (response: ServerResponse): void => {
      responses.push(response);
      response.write("{");
    };
    server.fail({ times: 2, matches: () => true, act });
    const stream = await transport({ path: "/api/v1/pods", silenceMs: 0 });
    const call = await transport({ path: "/api/v1/pods" });
    await expect(readJson("list pods", call)).rejects.toMatchObject({ reason: "Timeout" });
    responses[0]!.end("}");
    await expect(readJson("list pods", stream)).resolves.toEqual({});
  });
});

describe("the connections of a cluster", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "glovebox-ca-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const load = (caFile: string): PooledKubeConfig => {
    const config = new PooledKubeConfig();
    config.loadFromClusterAndUser(
      { name: "c", server: "https://127.0.0.1:1", skipTLSVerify: false, caFile },
      { name: "u" },
    );
    return config;
  };
  const poolOf = async (config: PooledKubeConfig): Promise<Dispatcher | undefined> => {
    const context = new RequestContext("https://127.0.0.1:1/", HttpMethod.GET);
    await config.applySecurityAuthentication(context);
    return context.getDispatcher();
  };

  test("are kept while the CA file is the same, and made anew when it changes", async () => {
    const caFile = join(folder, "ca.crt");
    await writeFile(caFile, "first");
    const config = load(caFile);
    const first = await poolOf(config);
    expect(await poolOf(config)).toBe(first);
    await writeFile(caFile, "second");
    const second = await poolOf(config);
    expect(second).not.toBe(first);
    expect(await poolOf(config)).toBe(second);
    await config.close();
  });

  test("through a SOCKS proxy are refused with a reason that names the field", async () => {
    const config = new PooledKubeConfig();
    config.loadFromClusterAndUser(
      { name: "c", server: "https://127.0.0.1:1", skipTLSVerify: false, proxyUrl: "socks5://127.0.0.1:1" },
      { name: "u" },
    );
    await expect(poolOf(config)).rejects.toThrow("proxy-url");
  });
});
