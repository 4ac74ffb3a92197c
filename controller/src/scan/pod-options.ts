import * as z from "zod";

/** The file of the operator. Unknown fields are errors. */
const podFileSchema = z.strictObject({
  image: z.string().min(1).exactOptional(),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).exactOptional(),
  imagePullSecrets: z.array(z.string()).exactOptional(),
  serviceAccountName: z.string().exactOptional(),
  /** gVisor, Kata and the like. */
  runtimeClassName: z.string().exactOptional(),
  priorityClassName: z.string().exactOptional(),
  nodeSelector: z.record(z.string(), z.string()).exactOptional(),
  tolerations: z
    .array(
      z.strictObject({
        key: z.string().exactOptional(),
        operator: z.string().exactOptional(),
        value: z.string().exactOptional(),
        effect: z.string().exactOptional(),
        tolerationSeconds: z.int().exactOptional(),
      }),
    )
    .exactOptional(),
  /** Run the pod in a user namespace, if the cluster supports it. */
  userNamespace: z.boolean().exactOptional(),
  /** Whether the pod names its user and group; default true. False where the cluster assigns them, as OpenShift does. */
  fixedUser: z.boolean().exactOptional(),
  resources: z
    .strictObject({ cpu: z.string(), memory: z.string(), ephemeralStorage: z.string() })
    .default({ cpu: "500m", memory: "512Mi", ephemeralStorage: "128Mi" }),
});
type PodFile = z.output<typeof podFileSchema>;

/** Options of the scan pod; none of them weakens its isolation. */
export interface PodOptions extends PodFile {
  readonly image: string;
  /** Name of a ConfigMap in the scan's namespace whose key extra-ca.pem holds certificates that scans trust as well. */
  readonly extraCaConfigMap?: string;
}

/**
 * Options of the scan pod from JSON.
 * @throws Error whose message names the field and the reason
 */
export function parsePodOptions(text: string): PodFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error("is not valid JSON", { cause });
  }
  const pod = podFileSchema.safeParse(json);
  if (pod.success) return pod.data;
  const { path, message } = pod.error.issues[0]!;
  throw new Error([...path, message].join(" "));
}
