import { useSyncExternalStore, type ReactNode } from "react";
import { Notice } from "../parts/states.tsx";

function subscribe(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

/** Above the page while the browser has no network. */
export function OfflineNotice(): ReactNode {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return isOnline ? null : (
    <Notice tone="warning">
      You are offline. What is shown may be out of date, and changes cannot be saved.
    </Notice>
  );
}
