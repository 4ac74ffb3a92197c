import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoProcess } from "./demo-process.ts";

let certificateDir: string;
beforeAll(() => {
  certificateDir = mkdtempSync(join(tmpdir(), "glovebox-demo-process-"));
});
afterAll(() => rmSync(certificateDir, { recursive: true, force: true }));

interface DemoResponse {
  readonly status: number | undefined;
}

const get = (url: string, ca: string): Promise<DemoResponse> =>
  new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, (response) => {
      response.resume().once("end", () => resolve({ status: response.statusCode }));
    })
      .once("error", reject)
      .end();
  });

describe("the demo target in its own process", () => {
  test("responds over TLS with a certificate of its authority, until it is stopped", async () => {
    const demo = await startDemoProcess({ port: 0, certificateDir, onLost: () => {} });
    expect(await get(`${demo.origin}/openapi.json`, demo.caPem)).toEqual({ status: 200 });
    await demo.stop();
    await expect(get(`${demo.origin}/`, demo.caPem)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("tells when it ends by itself, and not when it is stopped", async () => {
    const lost = Promise.withResolvers<string>();
    const killed = await startDemoProcess({ port: 0, certificateDir, onLost: () => lost.resolve("killed") });
    const stopped = await startDemoProcess({ port: 0, certificateDir, onLost: () => lost.reject() });
    await stopped.stop();
    process.kill(killed.pid, "SIGKILL");
    expect(await lost.promise).toBe("killed");
  });

  test("a port that is taken rejects with the code of the failure", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const start = startDemoProcess({ port, certificateDir, onLost: () => {} });
    await expect(start).rejects.toMatchObject({ code: "EADDRINUSE" });
    other.close();
  });
});
