import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inClusterConnection, KubeConnectionError } from "./connection.ts";

let folder: string;
let time: number;
const clock = { monotonic: () => time };

beforeEach(() => {
  time = 0;
  folder = mkdtempSync(join(tmpdir(), "service-account-"));
  writeFileSync(join(folder, "token"), "first\n");
  writeFileSync(join(folder, "ca.crt"), "authority");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const connect = () => inClusterConnection({ host: "fd00::1", port: "6443", clock, folder });

test("a pod asks the API server of its environment as its service account", async () => {
  const connection = connect();
  expect(connection.server.href).toBe("https://[fd00::1]:6443/");
  expect(await connection.credentials()).toEqual({ token: "first", ca: "authority" });
});

test("a token that was replaced on disk is used after a minute, and not before", async () => {
  const connection = connect();
  await connection.credentials();
  writeFileSync(join(folder, "token"), "second");
  time = 59_999;
  expect(await connection.credentials()).toMatchObject({ token: "first" });
  time = 60_000;
  expect(await connection.credentials()).toMatchObject({ token: "second" });
});

test("a token that could not be read is read again at the next request", async () => {
  const connection = connect();
  rmSync(join(folder, "token"));
  await expect(connection.credentials()).rejects.toMatchObject({ code: "ENOENT" });
  writeFileSync(join(folder, "token"), "back");
  expect(await connection.credentials()).toMatchObject({ token: "back" });
});

test("outside a pod the message names the variable that is missing", () => {
  expect(() => inClusterConnection({ host: undefined, port: undefined })).toThrow(
    new KubeConnectionError("KUBERNETES_SERVICE_HOST: is not set; set KUBECONFIG outside a pod"),
  );
});
