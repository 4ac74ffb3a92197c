import { useSyncExternalStore } from "react";

let waiting: PromiseWithResolvers<void> | undefined;
const listeners = new Set<() => void>();

function change(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** The session has ended: asks the user to sign in, and resolves when they have. */
export function signedInAgain(): Promise<void> {
  if (!waiting) change(Promise.withResolvers());
  return waiting!.promise;
}

/** The user has signed in again: the calls that waited for it are repeated. */
export function resume(): void {
  waiting?.resolve();
  change(undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIsSignedOut = (): boolean => useSyncExternalStore(subscribe, () => waiting !== undefined);
