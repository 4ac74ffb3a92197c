import { KubeError } from "@glovebox/kube";

/** What may be logged of a failure: messages of other libraries may hold data. */
export function loggable(error: unknown): string {
  if (error instanceof KubeError) return error.message;
  return error instanceof Error ? error.name : "unknown";
}
