import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { load } from "js-yaml";
import * as z from "zod";
import {
  credentialsReader,
  inClusterConnection,
  KubeConnectionError,
  type CredentialSource,
  type KubeConnection,
} from "./connection.ts";

const text = z.string().optional();
const unsupported = z
  .undefined({ error: "is not supported; use a token or a client certificate" })
  .optional();
const direct = z
  .undefined({ error: "is not supported; the API server must be reachable directly" })
  .optional();
const named = z.object({ name: z.string() }).loose();

const fileSchema = z.object({
  "current-context": z.string(),
  contexts: z.array(named),
  clusters: z.array(named),
  users: z.array(named),
});
const contextSchema = z.object({ cluster: z.string(), user: z.string() });
const clusterSchema = z
  .object({
    server: z.url({ protocol: /^https?$/ }),
    "certificate-authority": text,
    "certificate-authority-data": text,
    "tls-server-name": text,
    "insecure-skip-tls-verify": z.boolean().optional(),
    "proxy-url": direct,
  })
  .refine(({ server, ...rest }) => rest["insecure-skip-tls-verify"] || server.startsWith("https:"), {
    path: ["server"],
    error: "must begin with https:// unless insecure-skip-tls-verify is true",
  });
const userSchema = z.object({
  token: text,
  tokenFile: text,
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
  username: unsupported,
  exec: unsupported,
  "auth-provider": unsupported,
});

/**
 * The API server of the kubeconfig at this path; without one, the API server of the cluster whose pod this process runs in.
 * @throws KubeConnectionError
 */
export async function kubeConnection(
  kubeconfig: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<KubeConnection> {
  if (kubeconfig !== undefined) return kubeconfigConnection(kubeconfig);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  return inClusterConnection({ host, port });
}

/**
 * The API server of a kubeconfig's current context, for running outside a cluster (docs/adr/0017). Understands tokens and
 * client certificates, in the file or in files that it names. Other contexts are ignored.
 * @throws KubeConnectionError
 */
export async function kubeconfigConnection(path: string): Promise<KubeConnection> {
  const file = parse(fileSchema, await readYaml(path), []);
  const context = entryOf(file, ["contexts", file["current-context"]], contextSchema);
  const cluster = entryOf(file, ["clusters", context.cluster], clusterSchema);
  const user = entryOf(file, ["users", context.user], userSchema);
  const pem = (data: string | undefined, name: string | undefined): CredentialSource => {
    if (data !== undefined) return { text: Buffer.from(data, "base64").toString() };
    return name === undefined ? undefined : { file: resolve(dirname(path), name) };
  };
  const token = user.token === undefined ? pem(undefined, user.tokenFile) : { text: user.token };
  const credentials = credentialsReader({
    ca: pem(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    token,
    cert: pem(user["client-certificate-data"], user["client-certificate"]),
    key: pem(user["client-key-data"], user["client-key"]),
  });
  await credentials().catch((cause: unknown) => {
    throw new KubeConnectionError("KUBECONFIG: a certificate, key or token that it names cannot be read", {
      cause,
    });
  });
  return {
    server: new URL(cluster.server),
    serverName: cluster["tls-server-name"],
    insecure: cluster["insecure-skip-tls-verify"],
    credentials,
  };
}

async function readYaml(path: string): Promise<unknown> {
  const content = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new KubeConnectionError("KUBECONFIG: cannot be read", { cause });
  });
  try {
    return load(content);
  } catch {
    // Without its cause: a YAML error quotes the lines around the fault, and a key may be among them.
    throw new KubeConnectionError("KUBECONFIG: is not valid YAML");
  }
}

type Lists = Pick<z.infer<typeof fileSchema>, "contexts" | "clusters" | "users">;

/** What the entry of that name holds: `clusters: [{ name, cluster }]`, and so with contexts and users. */
function entryOf<T extends z.ZodType>(
  file: Lists,
  [list, name]: readonly [list: keyof Lists, name: string],
  schema: T,
): z.infer<T> {
  const index = file[list].findIndex((entry) => entry.name === name);
  if (index === -1)
    throw new KubeConnectionError(`KUBECONFIG: ${list}: has no entry for the current context`);
  const field = list.slice(0, -1);
  return parse(schema, file[list][index]![field], [list, index, field]);
}

function parse<T extends z.ZodType>(schema: T, value: unknown, path: readonly PropertyKey[]): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = [...path, ...issue!.path].join(".") || "the file";
  throw new KubeConnectionError(`KUBECONFIG: ${where}: ${issue!.message}`);
}
