import {
  type ConfigurationOptions,
  type ObservableMiddleware,
  setHeaderMiddleware,
} from "@kubernetes/client-node";
import type { Fence } from "./fence.ts";

/** Options of one call through the generated APIs. */
export type CallOptions = ConfigurationOptions;

/** How a patch is to be understood; the generated APIs take a JSON Patch (RFC 6902) when nothing is said. */
export type PatchType = "application/merge-patch+json" | "application/apply-patch+yaml";

/** Options for a write: it ends when the fence aborts, and a patch says of which type it is. */
export const writeOptions = (fence: Fence | undefined, patch?: PatchType): CallOptions => ({
  middleware: [
    ...(fence ? [untilAborted(fence.signal)] : []),
    ...(patch ? [setHeaderMiddleware("Content-Type", patch)] : []),
  ],
  middlewareMergeStrategy: "append",
});

/** Options that end a call sooner than the limit that all calls have. */
export const within = (timeoutMs: number): CallOptions => ({
  middleware: [untilAborted(() => AbortSignal.timeout(timeoutMs))],
  middlewareMergeStrategy: "append",
});

/** The library takes an observable of its own kind, which only its own middleware can make. */
function untilAborted(source: AbortSignal | (() => AbortSignal)): ObservableMiddleware {
  const unchanged = setHeaderMiddleware("Accept-Language", "en");
  return {
    pre(request) {
      const signal = typeof source === "function" ? source() : source;
      const earlier = request.getSignal();
      request.setSignal(earlier ? AbortSignal.any([earlier, signal]) : signal);
      return unchanged.pre(request);
    },
    post: (response) => unchanged.post(response),
  };
}
