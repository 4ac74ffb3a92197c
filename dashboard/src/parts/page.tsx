import { useEffect, useId, type ReactNode } from "react";
import styles from "./page.module.css";

/** A page: its title, which is also the title of the document, what can be done on it, and its content. */
export function Page({
  title,
  lead,
  back,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Glovebox`;
  }, [title]);
  return (
    <>
      <header className={styles["head"]}>
        <div className={styles["title"]}>
          {back && <div className={styles["back"]}>{back}</div>}
          <h1>{title}</h1>
          {lead && <div className={styles["lead"]}>{lead}</div>}
        </div>
        {actions && <div className={styles["actions"]}>{actions}</div>}
      </header>
      <Stack>{children}</Stack>
    </>
  );
}

export interface PanelProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** The content reaches the border of the panel, as a table does. */
  readonly flush?: boolean;
  readonly id?: string;
  readonly children: ReactNode;
}

export function Panel({ title, note, actions, flush = false, id, children }: PanelProps): ReactNode {
  const heading = useId();
  return (
    <section className={styles["panel"]} aria-labelledby={heading} id={id}>
      <div className={styles["panelHead"]}>
        <div>
          <h2 id={heading}>{title}</h2>
          {note && <p className={styles["panelNote"]}>{note}</p>}
        </div>
        {actions}
      </div>
      <div className={styles[flush ? "flush" : "panelBody"]}>{children}</div>
    </section>
  );
}

const Stack = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["stack"]}>{children}</div>
);

export const Columns = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["columns"]}>{children}</div>
);

export const Tiles = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["tiles"]}>{children}</div>
);

/** The class of a link that is a tile with a number. */
export const tileClass = styles["tile"]!;

export function TileContent({
  label,
  value,
  note,
}: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
}): ReactNode {
  return (
    <>
      <span className={styles["tileLabel"]}>{label}</span>
      <div className={styles["number"]}>{value}</div>
      {note && <span className={styles["tileLabel"]}>{note}</span>}
    </>
  );
}

/** Names and values, such as the facts of an account; a value that is undefined is left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }): ReactNode {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  return (
    <dl className={styles["facts"]}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
