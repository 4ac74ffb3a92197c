import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, kubectl } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-endpoint-"));
let fixture: Fixture;
let server: { readonly address: string; readonly port: number };

/** A kubeconfig with the address of the Service `kubernetes`, which pods use, instead of the API server's own address. */
async function kubeconfigByService(): Promise<string> {
  const { spec } = await getJson<{ spec: { clusterIP: string } }>("service", "kubernetes", "-n", "default");
  const config = JSON.parse(await kubectl(["config", "view", "--minify", "--raw", "-o", "json"])) as {
    clusters: { cluster: { server: string } }[];
  };
  for (const { cluster } of config.clusters) cluster.server = `https://${spec.clusterIP}`;
  const file = join(folder, "kubeconfig");
  writeFileSync(file, JSON.stringify(config));
  return file;
}

beforeAll(async () => {
  const slice = await getJson<{ endpoints: { addresses: [string] }[]; ports: { port: number }[] }>(
    ...["endpointslice", "kubernetes", "-n", "default"],
  );
  server = { address: slice.endpoints[0]!.addresses[0], port: slice.ports[0]!.port };
  fixture = await startFixture();
  const range = `${server.address.split(".").slice(0, 2).join(".")}.0.0/16`;
  await fixture.startController(
    {
      KUBECONFIG: await kubeconfigByService(),
      GLOVEBOX_EGRESS_ALLOW: `${fixture.settings["GLOVEBOX_EGRESS_ALLOW"]},${range}`,
    },
    { "of-the-cluster.example": server.address },
  );
});
afterAll(async () => {
  await fixture?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a target that resolves to the API server's own address is refused at any port, even if its range is allowed", async () => {
  for (const port of [server.port, 443]) {
    await fixture.applyScan(`port-${port}`, `https://of-the-cluster.example:${port}/`);
    const status = await fixture.finished(`port-${port}`);
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_refused" } });
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: "TargetResolved", status: "False", reason: "TargetRefused" }),
    );
  }
});
