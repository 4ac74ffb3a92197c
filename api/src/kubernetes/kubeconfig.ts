import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { load } from "js-yaml";
import * as z from "zod";
import { KubeConnectionError, type KubeConnection } from "./connection.ts";

const text = z.string().optional();
const clusterSchema = z.object({
  server: z.url({ protocol: /^https$/ }),
  "certificate-authority": text,
  "certificate-authority-data": text,
});
const userSchema = z.object({
  token: text,
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
});
const fileSchema = z.object({
  "current-context": z.string(),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(z.object({ name: z.string(), cluster: clusterSchema })),
  users: z.array(z.object({ name: z.string(), user: userSchema })),
});

/**
 * The API server of a kubeconfig's current context, for running outside a cluster. Understands tokens and client
 * certificates, in the file or beside it; no plugins.
 * @throws KubeConnectionError
 */
export async function kubeconfigConnection(path: string): Promise<KubeConnection> {
  const file = await readKubeconfig(path);
  const { context } = named(file.contexts, file["current-context"], "contexts");
  const { cluster } = named(file.clusters, context.cluster, "clusters");
  const { user } = named(file.users, context.user, "users");
  const pem = (fields: Record<string, string | undefined>, name: string) =>
    pemOf(dirname(path), fields[`${name}-data`], fields[name]);
  const credentials = {
    ca: await pem(cluster, "certificate-authority"),
    token: user.token,
    cert: await pem(user, "client-certificate"),
    key: await pem(user, "client-key"),
  };
  const { hostname, port } = new URL(cluster.server);
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(port || 443), credentials: async () => credentials };
}

async function readKubeconfig(path: string): Promise<z.infer<typeof fileSchema>> {
  let content: unknown;
  try {
    content = load(await readFile(path, "utf8"));
  } catch {
    // Without its cause: a YAML error quotes the lines around the fault, and a key may be among them.
    throw new KubeConnectionError("KUBECONFIG: is no YAML file that can be read");
  }
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new KubeConnectionError(`KUBECONFIG: ${issue!.path.join(".") || "the file"}: ${issue!.message}`);
}

function named<T extends { readonly name: string }>(list: readonly T[], name: string, where: string): T {
  const found = list.find((entry) => entry.name === name);
  if (!found) throw new KubeConnectionError(`KUBECONFIG: ${where}: has no entry for the current context`);
  return found;
}

async function pemOf(folder: string, data?: string, path?: string): Promise<string | undefined> {
  if (data !== undefined) return Buffer.from(data, "base64").toString();
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(folder, path), "utf8");
  } catch (cause) {
    throw new KubeConnectionError("KUBECONFIG: a certificate or key that it names cannot be read", { cause });
  }
}
