import type { Access, PathAccess } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import type { ReactNode } from "react";
import { Panel } from "../parts/page.tsx";
import { ACCESS_LABELS } from "../parts/words.ts";
import styles from "./access-grid.module.css";

const METHOD_ORDER = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The methods of all paths, the common ones first. */
function methodsOf(paths: readonly PathAccess[]): string[] {
  const rank = (method: string): number => (METHOD_ORDER.indexOf(method) + METHOD_ORDER.length + 1) % 8;
  const found = new Set(paths.flatMap(({ methods }) => Object.keys(methods)));
  return [...found].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** What a caller without credentials may do: paths by methods. */
export function AccessGrid({ paths }: { paths: readonly PathAccess[] }): ReactNode {
  const methods = methodsOf(paths);
  return (
    <Panel
      title="Access without credentials"
      note="How each operation responds to requests without credentials."
    >
      <div className={styles["scroller"]} tabIndex={0} role="region" aria-label="Access without credentials">
        <table className={styles["grid"]}>
          <thead>
            <tr>
              <th scope="col">Path</th>
              {methods.map((method) => (
                <th key={method} scope="col">
                  {method}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {paths.map(({ path, methods: access }) => (
              <tr key={path}>
                <th scope="row">{visibleText(path)}</th>
                {methods.map((method) => (
                  <AccessCell key={method} access={access[method]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

const AccessCell = ({ access }: { access: Access | undefined }): ReactNode =>
  access ? <td className={styles[access]}>{ACCESS_LABELS[access]}</td> : <td />;
