import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Drawer } from "../parts/dialog.tsx";
import { SelectField } from "../parts/form.tsx";
import { Toasts } from "../parts/toasts.tsx";
import { Keyboard } from "./keyboard.tsx";
import { OfflineNotice } from "./online.tsx";
import { Brand, Navigation, type NavigationGroup } from "./navigation.tsx";
import styles from "./shell.module.css";
import { useTheme } from "./theme.ts";

export interface ShellProps {
  readonly groups: readonly NavigationGroup[];
  /** Who is signed in, and how to sign out. */
  readonly account?: ReactNode;
  readonly children: ReactNode;
}

/** What surrounds every page: navigation, theme, shortcuts and messages. */
export function Shell({ groups, account, children }: ShellProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const content = useFocusAfterNavigation();
  return (
    <>
      <a href="#content" className={styles["skip"]}>
        Skip to the content
      </a>
      <div className={styles["layout"]}>
        <aside className={styles["side"]} aria-label="Navigation">
          <Brand />
          <Navigation groups={groups} />
          <Foot account={account} />
        </aside>
        <div className={styles["main"]}>
          <header className={styles["top"]}>
            <Brand />
            <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
              Menu
            </Button>
          </header>
          <main className={styles["content"]} id="content" tabIndex={-1} ref={content}>
            <OfflineNotice />
            {children}
          </main>
        </div>
      </div>
      <Drawer title="Menu" isOpen={isOpen} onClose={close}>
        <Navigation groups={groups} onFollow={close} />
        <Foot account={account} />
      </Drawer>
      <Keyboard />
      <Toasts />
    </>
  );
}

/** A new page is read from its start, as after a load; a change of the filters is not a new page. */
function useFocusAfterNavigation(): React.RefObject<HTMLElement | null> {
  const { pathname } = useLocation();
  const content = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current !== pathname) content.current?.focus({ preventScroll: true });
    last.current = pathname;
  }, [pathname]);
  return content;
}

function Foot({ account }: { account: ReactNode }): ReactNode {
  const [theme, setTheme] = useTheme();
  return (
    <div className={styles["foot"]}>
      {account}
      <SelectField
        label="Theme"
        value={theme}
        options={{ system: "System", light: "Light", dark: "Dark" }}
        onChange={(chosen) => setTheme(chosen ?? "system")}
      />
    </div>
  );
}
