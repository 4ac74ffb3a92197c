import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./states.module.css";

/** What is shown where there is nothing: why, and what to do. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className={styles["state"]}>
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

function Loading(): ReactNode {
  return (
    <div className={styles["loading"]} role="status">
      <span className="visually-hidden">Loading…</span>
      {[1, 2, 3, 4, 5, 6].map((bar) => (
        <div key={bar} className={styles["bar"]} aria-hidden="true" />
      ))}
    </div>
  );
}

function ErrorState({ error, onRetry }: { error: { message: string }; onRetry?: () => void }): ReactNode {
  return (
    <div className={styles["state"]} role="alert">
      <h3>This could not be loaded</h3>
      <p>{error.message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export function Notice({
  tone = "plain",
  children,
}: {
  tone?: "plain" | "warning" | "error";
  children: ReactNode;
}): ReactNode {
  const role = tone === "error" ? "alert" : undefined;
  return (
    <div className={`${styles["notice"]} ${tone === "plain" ? "" : styles[tone]}`} role={role}>
      {children}
    </div>
  );
}

export type Query<Data> = Pick<UseQueryResult<Data, { message: string }>, "data" | "error" | "refetch">;

/** The content once the query has data; until then that it loads, or why it cannot. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Query<Data>;
  children: (data: NonNullable<Data>) => ReactNode;
}): ReactNode {
  const { data, error, refetch } = query;
  if (data !== undefined && data !== null) return children(data);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />;
}
