import * as z from "zod";

/** What of the pod is left to the operator. A field that is none of these is an error: nothing is dropped unseen. */
const podSchema = z.strictObject({
  image: z.string().min(1).optional(),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  imagePullSecrets: z.array(z.string()).optional(),
  serviceAccountName: z.string().optional(),
  runtimeClassName: z.string().optional(),
  priorityClassName: z.string().optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  tolerations: z
    .array(
      z.strictObject({
        key: z.string().optional(),
        operator: z.string().optional(),
        value: z.string().optional(),
        effect: z.string().optional(),
        tolerationSeconds: z.int().optional(),
      }),
    )
    .optional(),
  userNamespace: z.boolean().optional(),
  fixedUser: z.boolean().optional(),
  resources: z
    .strictObject({ cpu: z.string(), memory: z.string(), ephemeralStorage: z.string() })
    .default({ cpu: "500m", memory: "512Mi", ephemeralStorage: "128Mi" }),
});

/**
 * Options of the scan pod from JSON.
 * @throws Error whose message names the field and the reason
 */
export function parsePodOptions(text: string): z.output<typeof podSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error("is no JSON", { cause });
  }
  const pod = podSchema.safeParse(json);
  if (pod.success) return pod.data;
  const { path, message } = pod.error.issues[0]!;
  throw new Error([...path, message].join(" "));
}
