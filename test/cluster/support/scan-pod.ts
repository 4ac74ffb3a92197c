import { apply, getJson, kubectl } from "./kubectl.ts";
import { nodeProgram, podOf } from "./node-program.ts";
import { until } from "./until.ts";

/** A pod as the API server has it, as far as tests look at it. */
export interface PodObject {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
  readonly status: {
    readonly phase: string;
    readonly ephemeralContainerStatuses?: readonly { name: string; state: { terminated?: object } }[];
  };
}

interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly ephemeralContainers?: readonly object[];
  readonly containers: readonly {
    readonly env?: readonly object[];
    readonly securityContext?: object;
    readonly volumeMounts?: readonly { readonly name: string; readonly readOnly?: boolean }[];
  }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly emptyDir?: { readonly sizeLimit?: string };
  }[];
}

/** The pod of a scan, once its scanner runs. */
export const scanPod = (namespace: string): Promise<PodObject> =>
  until("a scan's pod that runs", async () => {
    const pods = await getJson<{ items: PodObject[] }>("pods", "-n", namespace, "-l", "glovebox.dev/scan");
    return pods.items.find(({ status }) => status.phase === "Running");
  });

/**
 * Runs a program of this folder inside a scan's pod: in its network, and beside its scanner among the processes. Gives
 * the lines that it printed.
 */
export async function runInside(
  { namespace, pod }: { namespace: string; pod: string },
  file: string,
  ...args: readonly string[]
): Promise<string[]> {
  const name = file.replace(/\W/g, "-");
  const container = { ...nodeProgram(file, ...args), name, targetContainerName: "scanner" };
  await until("an ephemeral container in the scan's pod", async () => {
    const object = await getJson<PodObject>("pod", pod, "-n", namespace);
    const spec = {
      ...object.spec,
      ephemeralContainers: [...(object.spec.ephemeralContainers ?? []), container],
    };
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/ephemeralcontainers`;
    const put = kubectl(["replace", "--raw", path, "-f", "-"], JSON.stringify({ ...object, spec }));
    return put.catch((error: Error) => {
      // The pod's status is written at the same time.
      if (error.message.includes("the object has been modified")) return undefined;
      throw error;
    });
  });
  await until(`the end of ${file} in the scan's pod`, async () => {
    const { status } = await getJson<PodObject>("pod", pod, "-n", namespace);
    return status.ephemeralContainerStatuses?.find((one) => one.name === name)?.state.terminated;
  });
  return linesOf(await kubectl(["logs", pod, "-n", namespace, "-c", name]));
}

/** Runs a program of this folder in a pod of its own. */
export async function runBeside(
  namespace: string,
  file: string,
  ...args: readonly string[]
): Promise<string[]> {
  const name = file.replace(/\W/g, "-");
  await apply(podOf({ name, namespace }, nodeProgram(file, ...args)));
  await kubectl([
    ...["wait", `pod/${name}`, "-n", namespace, "--for=jsonpath={.status.phase}=Succeeded", "--timeout=120s"],
  ]);
  return linesOf(await kubectl(["logs", name, "-n", namespace]));
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
