import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Runs kubectl against the cluster of KUBECONFIG with `input` on its stdin, and returns its stdout.
 * @throws Error with its stderr, if it exits with another code than 0
 */
export async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const child = spawn("kubectl", args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
  return stdout;
}

export const apply = (...objects: readonly object[]): Promise<string> =>
  kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));

/** Creates a namespace and waits for its default service account, without which no pod is admitted. */
export async function createNamespace(name: string): Promise<void> {
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  await kubectl(["wait", "serviceaccount/default", "-n", name, "--for=create", "--timeout=120s"]);
}

export const getJson = async <T>(...args: readonly string[]): Promise<T> =>
  JSON.parse(await kubectl(["get", ...args, "-o", "json"])) as T;

/** Names of the objects of a kind in a namespace. */
export async function namesOf(kind: string, namespace: string): Promise<string[]> {
  const { items } = await getJson<{ items: { metadata: { name: string } }[] }>(kind, "-n", namespace);
  return items.map(({ metadata }) => metadata.name);
}
