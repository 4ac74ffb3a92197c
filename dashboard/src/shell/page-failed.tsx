import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { PageNotLoaded } from "./lazy-page.ts";

/** Instead of a page that could not be loaded or shown; the navigation stays. */
export const PageFailed = ({ error }: ErrorComponentProps): ReactNode =>
  error instanceof PageNotLoaded ? <NotLoaded /> : <NotShown />;

const reload = (): void => globalThis.location.reload();

const NotShown = (): ReactNode => (
  <Page title="This page failed">
    <Empty title="This page cannot be shown" action={<Button onClick={reload}>Reload the page</Button>}>
      An error occurred in your browser. Reload the page. If it happens again, report it to your
      administrator.
    </Empty>
  </Page>
);

/** Offline until the server responds; then the page is asked for again; and if it still fails, its release no longer exists. */
function NotLoaded(): ReactNode {
  const router = useRouter();
  const [state, setState] = useState<"checking" | "offline" | "outdated">("checking");
  const wasOffline = useRef(false);
  const check = useCallback(async (): Promise<void> => {
    const isReachable = await isServerReachable();
    if (!isReachable) {
      wasOffline.current = true;
      return setState("offline");
    }
    if (!wasOffline.current) return setState("outdated");
    wasOffline.current = false;
    await router.invalidate();
    setState("outdated");
  }, [router]);
  useEffect(() => {
    void check();
    const again = (): void => void check();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [check]);
  if (state === "checking")
    return (
      <Page title="Loading">
        <Loading />
      </Page>
    );
  return state === "offline" ? (
    <Page title="Offline">
      <Empty title="You are offline" action={<Button onClick={() => void check()}>Try again</Button>}>
        Glovebox cannot be reached, and this page has not been opened before. Pages that are already loaded
        still work.
      </Empty>
    </Page>
  ) : (
    <Page title="New version">
      <Empty title="Glovebox has been updated" action={<Button onClick={reload}>Reload the page</Button>}>
        This page belongs to the new version. Reload to continue.
      </Empty>
    </Page>
  );
}

/** Any response will do. */
const isServerReachable = (): Promise<boolean> =>
  fetch("/healthz", { cache: "no-store" }).then(
    () => true,
    () => false,
  );
