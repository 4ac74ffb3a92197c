import { locationName } from "@glovebox/domain";
import type { SideEffect } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import type { ReactNode } from "react";
import { requestText, responseText } from "../exchange/exchange-text.ts";
import { Code, CodePair } from "../parts/code.tsx";
import { Panel } from "../parts/page.tsx";
import styles from "./report.module.css";

/** What the scan may have left behind in the target: each request, and the response that shows it. */
export function SideEffectsPanel({ sideEffects }: { sideEffects: readonly SideEffect[] }): ReactNode {
  return (
    <Panel
      title="Possible side effects of the scan"
      note="Requests that the target may have stored: it accepted what it should have refused, or did not respond"
    >
      {sideEffects.map((effect, index) => (
        <details key={index} className={styles["instance"]}>
          <summary>
            <code>{visibleText(locationName(effect.operation))}</code> {statusText(effect)}
          </summary>
          <CodePair>
            <Code title="Request" what="Request" text={requestText(effect)} />
            <Code title="Response" what="Response" text={responseText(effect)} />
          </CodePair>
        </details>
      ))}
    </Panel>
  );
}

const statusText = ({ response: { status }, cleaned }: SideEffect): string =>
  `${status === 0 ? "no response" : `status ${status}`}${cleaned ? ", removed again" : ""}`;
