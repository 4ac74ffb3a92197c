import type { Scan } from "@glovebox/contract";
import { CATEGORIES } from "@glovebox/contract/categories";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useReducer, useSyncExternalStore, type ReactNode } from "react";
import { countText } from "../parts/counts.ts";
import { Panel } from "../parts/page.tsx";
import { refreshAll, trpc } from "../trpc.ts";
import { NOTHING_SEEN, furthest } from "./progress.ts";
import styles from "./scan-progress.module.css";

/** How far a running scan is; when it ends, the page shows its report. */
export function ScanProgress({ scan }: { scan: Extract<Scan, { status: "processing" }> }): ReactNode {
  const isVisible = useIsVisible();
  const [live, follow] = useReducer(furthest, NOTHING_SEEN);
  useSubscription(
    trpc.scans.progress.subscriptionOptions(
      { ids: [scan.id] },
      {
        enabled: isVisible,
        onData({ data }) {
          follow(data);
          if (data.status !== "processing") void refreshAll();
        },
      },
    ),
  );
  const { progress, category, share } = furthest(live, scan);
  const { done, planned } = progress;
  return (
    <Panel title="Progress" note="The report appears here when the scan ends.">
      <progress className={styles["bar"]} value={share} aria-label="Progress of the scan" />
      <p className={styles["text"]} aria-live="polite">
        {planned === 0
          ? "Listing the operations of the API"
          : `${countText(done)} of ${countText(planned)} checks done`}
        {category &&
          `. Now: ${CATEGORIES[category.name].title}, ${countText(category.done)} of ${countText(category.planned)}`}
      </p>
    </Panel>
  );
}

function onVisibilityChange(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

/** False while the tab is in the background: over HTTP/1.1 a browser has six connections, which open streams use up. */
const useIsVisible = (): boolean =>
  useSyncExternalStore(onVisibilityChange, () => document.visibilityState === "visible");
