import type { AccountPermission } from "@glovebox/api/admin";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import iconUrl from "./icon.svg?url";
import styles from "./shell.module.css";

export interface NavigationGroup {
  readonly label: string;
  /** Its pages are about the service, not about one account. */
  readonly isOfService?: boolean;
  readonly links: readonly NavigationLink[];
}

export interface NavigationLink {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  /** What the page needs; without one, it is for everybody. */
  readonly permission?: AccountPermission;
}

/** The links to pages that these permissions suffice for; a group without any is left out. */
export const linksFor = (
  groups: readonly NavigationGroup[],
  permissions: readonly AccountPermission[],
): NavigationGroup[] =>
  groups
    .map(({ links, ...group }) => ({
      ...group,
      links: links.filter(({ permission }) => permission === undefined || permissions.includes(permission)),
    }))
    .filter(({ links }) => links.length > 0);

export const Brand = (): ReactNode => (
  <Link to="/" className={styles["brand"]}>
    <img src={iconUrl} alt="" width="28" height="28" />
    Glovebox
  </Link>
);

export function Navigation({
  groups,
  onFollow,
}: {
  groups: readonly NavigationGroup[];
  onFollow?: () => void;
}): ReactNode {
  return (
    <nav className={styles["nav"]} aria-label="Main">
      {groups.map(({ label, links }) => (
        <div key={label} className={styles["group"]}>
          <div className={styles["groupLabel"]}>{label}</div>
          <ul>
            {links.map(({ to, label: text }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === "/" }} onClick={() => onFollow?.()}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
