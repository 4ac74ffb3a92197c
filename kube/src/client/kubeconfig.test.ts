import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KubeConnectionError } from "./connection.ts";
import { kubeconfigConnection } from "./kubeconfig.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  writeFileSync(join(folder, "client.key"), "the key");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly current?: string;
}

function connect({ cluster, user = {}, current = "here" }: Parts) {
  const path = join(folder, "config");
  const config = {
    "current-context": current,
    contexts: [{ name: "here", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:6443", ...cluster } }],
    users: [{ name: "u", user }],
  };
  writeFileSync(path, JSON.stringify(config)); // JSON is YAML
  return kubeconfigConnection(path);
}
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a certificate in the file and a key beside it are both understood", async () => {
  const connection = await connect({
    cluster: { "certificate-authority-data": base64("authority") },
    user: { "client-certificate-data": base64("certificate"), "client-key": "client.key" },
  });
  expect(connection.server.host).toBe("127.0.0.1:6443");
  expect(await connection.credentials()).toEqual({
    ca: "authority",
    token: undefined,
    cert: "certificate",
    key: "the key",
  });
});

test("a token is understood, also with an IPv6 address and the default port", async () => {
  const connection = await connect({ cluster: { server: "https://[::1]" }, user: { token: "t" } });
  expect(connection.server.href).toBe("https://[::1]/");
  expect(await connection.credentials()).toMatchObject({ token: "t" });
});

test.each<[string, Parts, RegExp]>([
  ["a context that is not there", { current: "elsewhere" }, /^KUBECONFIG: contexts: has no entry/],
  ["plain HTTP", { cluster: { server: "http://a" } }, /^KUBECONFIG: clusters\.0\.cluster\.server: /],
  ["a key that is not there", { user: { "client-key": "none" } }, /cannot be read$/],
  [
    "a plugin",
    { user: { exec: { command: "login" } } },
    /^KUBECONFIG: users\.0\.user\.exec: is not supported; use a/,
  ],
  [
    "a proxy",
    { cluster: { "proxy-url": "socks5://a" } },
    /^KUBECONFIG: clusters\.0\.cluster\.proxy-url: is not/,
  ],
])("%s is refused by name", async (_, parts, message) => {
  await expect(connect(parts)).rejects.toThrow(message);
});

test("the name to expect in the server's certificate is understood, and plain HTTP where none is verified", async () => {
  const named = await connect({ cluster: { "tls-server-name": "kubernetes" } });
  expect(named.serverName).toBe("kubernetes");
  const plain = { server: "http://127.0.0.1:1", "insecure-skip-tls-verify": true };
  expect(await connect({ cluster: plain })).toMatchObject({ insecure: true, server: new URL(plain.server) });
});

test("a file that is not there is refused", async () => {
  await expect(kubeconfigConnection(join(folder, "none"))).rejects.toThrow(
    new KubeConnectionError("KUBECONFIG: cannot be read"),
  );
});

test("a file that is not YAML is refused without a word of what is in it", async () => {
  const path = join(folder, "broken");
  writeFileSync(path, "users: [secret-token");
  await expect(kubeconfigConnection(path)).rejects.toThrow(
    new KubeConnectionError("KUBECONFIG: is not valid YAML"),
  );
});
