import { LABELS } from "@glovebox/k8s";
import { apply, getJson, kubectl } from "./kubectl.ts";
import { nodeProgram, podOf } from "./node-program.ts";
import { until } from "./until.ts";

/** The fields of a pod that tests read. */
export interface PodObject {
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: PodSpec;
  readonly status: {
    readonly phase: string;
    readonly containerStatuses?: readonly { state: { terminated?: { message: string } } }[];
    readonly ephemeralContainerStatuses?: readonly { name: string; state: { terminated?: object } }[];
  };
}

interface PodSpec {
  readonly nodeName?: string;
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

/** A label selector for the pods of a scan. */
export const ofScan = (scanId: string): string => `${LABELS.scan}=${scanId}`;
/** A label selector for the pods of an attempt. */
export const ofAttempt = (attempt: number): string => `${LABELS.attempt}=${attempt}`;

export const scanPods = async (namespace: string, selector: string = LABELS.scan): Promise<PodObject[]> =>
  (await getJson<{ items: PodObject[] }>("pods", "-n", namespace, "-l", selector)).items;

/** Waits for a scan pod in the phase `Running`, or another phase. */
export const scanPod = (
  namespace: string,
  { selector, phase = "Running" }: { readonly selector?: string; readonly phase?: string } = {},
): Promise<PodObject> =>
  until(`a scan pod in the phase ${phase}`, async () =>
    (await scanPods(namespace, selector)).find(({ status }) => status.phase === phase),
  );

/** Runs a program of this folder in an ephemeral container of a scan pod, and returns the lines of its stdout. */
export async function runInScanPod(
  { namespace, pod }: { namespace: string; pod: string },
  file: string,
  ...args: readonly string[]
): Promise<string[]> {
  const name = file.replace(/\W/g, "-");
  const container = { ...nodeProgram(file, ...args), name, targetContainerName: "scanner" };
  await until("an ephemeral container in the scan pod", async () => {
    const object = await getJson<PodObject>("pod", pod, "-n", namespace);
    const spec = {
      ...object.spec,
      ephemeralContainers: [...(object.spec.ephemeralContainers ?? []), container],
    };
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/ephemeralcontainers`;
    const put = kubectl(["replace", "--raw", path, "-f", "-"], JSON.stringify({ ...object, spec }));
    return put.catch((error: Error) => {
      // The pod was updated between the read and the write.
      if (error.message.includes("the object has been modified")) return undefined;
      throw error;
    });
  });
  await until(`the end of ${file} in the scan pod`, async () => {
    const { status } = await getJson<PodObject>("pod", pod, "-n", namespace);
    return status.ephemeralContainerStatuses?.find((one) => one.name === name)?.state.terminated;
  });
  return linesOf(await kubectl(["logs", pod, "-n", namespace, "-c", name]));
}

/** Runs a program of this folder in a separate pod, and returns the lines of its stdout. */
export async function runInPod(
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
