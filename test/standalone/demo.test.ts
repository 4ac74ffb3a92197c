import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { GloveboxCommand, glovebox, temporaryFolder } from "./command.ts";
import { serve } from "./service.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const dataDir = (name: string) => join(folder.path, name);
const urlIn = (printed: string) => /(https:\/\/127\.0\.0\.1:\d+)$/m.exec(printed)![1]!;

/** Sends a request. `sent` resolves when it was sent, `responded` with the status of the response. */
function get(url: string): { sent: Promise<void>; responded: Promise<number | undefined> } {
  const sent = Promise.withResolvers<void>();
  const responded = new Promise<number | undefined>((resolve, reject) => {
    const clientRequest = request(url, { rejectUnauthorized: false, agent: false }, (response) =>
      response.resume().once("end", () => resolve(response.statusCode)),
    );
    clientRequest.once("error", reject).once("finish", sent.resolve).end();
  });
  return { sent: sent.promise, responded };
}

describe("glovebox demo", () => {
  test.each([
    ["vulnerable on purpose", [], "/v2/patients", 200],
    ["hardened", ["--hardened"], "/v2/patients", 401],
  ] as const)(
    "serves the %s API, and prints a command that scans it",
    async (kind, options, path, status) => {
      const env = { GLOVEBOX_DATA_DIR: dataDir("demo") };
      const demo = new GloveboxCommand(["demo", "--port", "0", ...options], env);
      const printed = await demo.stdoutMatching(/npx .*\n/);
      expect(printed).toContain(`Demo target, ${kind}: https://127.0.0.1:`);
      expect(await get(urlIn(printed) + path).responded).toBe(status);
      const ca = join(dataDir("demo"), "demo", "ca.pem");
      expect(readFileSync(ca, "utf8")).toContain("BEGIN CERTIFICATE");
      const url = urlIn(printed);
      expect(printed.trimEnd().split("\n").at(-1)).toBe(
        `npx glovebox scan ${url} --spec ${url}/openapi.json --allow-private --ca '${ca}'`,
      );
      await demo.kill("SIGINT");
    },
  );

  test("serves only the shop with --shop, and prints a command that scans it as its users", async () => {
    const env = { GLOVEBOX_DATA_DIR: dataDir("shop") };
    const demo = new GloveboxCommand(["demo", "--port", "0", "--shop"], env);
    const printed = await demo.stdoutMatching(/npx .*\n/);
    const [url] = /https:\S+\/shop$/m.exec(printed)!;
    const [identities, ca] = ["identities.yaml", "ca.pem"].map((file) => join(dataDir("shop"), "demo", file));
    expect(printed.trimEnd().split("\n").at(-1)).toBe(
      `npx glovebox scan ${url} --spec ${url}/openapi.json --allow-private --ca '${ca}' --identity-file '${identities}'`,
    );
    expect(readFileSync(identities!, "utf8")).toContain("name: alice");
    const statuses = ["/shop/openapi.json", "/shop/v2/me", "/.env"].map((path) =>
      get(new URL(path, url).href),
    );
    expect(await Promise.all(statuses.map(({ responded }) => responded))).toEqual([200, 401, 404]);
    await demo.kill("SIGINT");
  });

  test("a port in use or an invalid port exits with 2 and one line", async () => {
    const env = { GLOVEBOX_DATA_DIR: dataDir("taken") };
    const demo = new GloveboxCommand(["demo", "--port", "0"], env);
    const { port } = new URL(urlIn(await demo.stdoutMatching(/npx .*\n/)));
    const second = await new GloveboxCommand(["demo", "--port", port], env).ended;
    const stderr = `glovebox: --port: 127.0.0.1:${port} is in use by another program.\n`;
    expect(second).toEqual({ code: 2, stdout: "", stderr });
    expect(await glovebox("demo", "--port", "x")).toMatchObject({
      code: 2,
      stderr: "glovebox: --port: must be a whole number from 0 to 65535\n",
    });
    await demo.kill("SIGINT");
  });
});

describe("the demo target of glovebox serve", () => {
  test("does not block the service when an injected SQL statement blocks it, and exits when the service is killed", async () => {
    const service = await serve(dataDir("stalled"));
    const demoUrl = urlIn(service.printed);
    const tables = Array.from({ length: 24 }, (_, index) => `medicines m${index}`).join(",");
    const category = encodeURIComponent(`' OR (SELECT count(*) FROM ${tables}) > 0 --`);
    const stalled = get(`${demoUrl}/v2/medicines?category=${category}`);
    stalled.responded.catch(() => {});
    await stalled.sent;
    expect((await service.call("/v1/scans")).status).toBe(200);

    const probe = get(`${demoUrl}/health`);
    const first = await Promise.race([
      probe.responded.then(
        () => "the demo target",
        () => "none",
      ),
      service.call("/v1/scans").then(() => "the service"),
    ]);
    expect(first).toBe("the service");
    await service.command.kill("SIGKILL");
    await vi.waitFor(
      () => expect(get(`${demoUrl}/health`).responded).rejects.toMatchObject({ code: "ECONNREFUSED" }),
      { timeout: 20_000, interval: 100 },
    );
  });

  test("the demo target of glovebox serve with a port in use is on the next free one, and the service starts", async () => {
    const demo = new GloveboxCommand(["demo", "--port", "0"], { GLOVEBOX_DATA_DIR: dataDir("other") });
    const { port } = new URL(urlIn(await demo.stdoutMatching(/npx .*\n/)));
    const env = { PORT: "0", GLOVEBOX_DEMO_PORT: port, GLOVEBOX_DATA_DIR: dataDir("clash") };
    const service = new GloveboxCommand(["serve"], { ...env, GLOVEBOX_LOG_LEVEL: "silent" });
    const taken = new URL(urlIn(await service.stdoutMatching(/curl .*\n/)));
    expect(taken.port).not.toBe(port);
    expect(await get(`${taken.origin}/health`).responded).toBe(200);
    await service.kill("SIGTERM");
    await demo.kill("SIGINT");
  });
});
