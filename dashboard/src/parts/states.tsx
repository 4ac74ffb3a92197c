import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf, type Failure } from "../calls/failure.ts";
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

export function Loading(): ReactNode {
  return (
    <div className={styles["loading"]} role="status">
      <span className="visually-hidden">Loading…</span>
      {[1, 2, 3, 4, 5, 6].map((bar) => (
        <div key={bar} className={styles["bar"]} aria-hidden="true" />
      ))}
    </div>
  );
}

function ErrorState({ error, onRetry }: { error: QueryError; onRetry: () => void }): ReactNode {
  const { title, text, mayPass } = problemOf(error);
  return (
    <div className={styles["state"]} role="alert">
      <h3>{title}</h3>
      <p>{text}</p>
      {mayPass && <Button onClick={onRetry}>Try again</Button>}
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

export type QueryError = Pick<Failure, "message" | "data">;
export type Query<Data> = Pick<UseQueryResult<Data, QueryError>, "data" | "error" | "refetch">;

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
