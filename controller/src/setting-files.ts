import { readFileSync } from "node:fs";
import type * as z from "zod";
import { podSchema } from "./pod-options.ts";

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** Options of the scan pod (PodOptions) from a file. */
export function readPodOptions(path: string): z.output<typeof podSchema> {
  const text = readText(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${path}: is no JSON`);
  }
  const pod = podSchema.safeParse(json);
  if (pod.success) return pod.data;
  const { path: where, message } = pod.error.issues[0]!;
  throw new Error(`${path}: ${[...where, message].join(" ")}`);
}
