import type { JournalEntry } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import { locationName } from "@glovebox/domain";
import type { ReactNode } from "react";
import { requestText, responseText } from "../exchange/exchange-text.ts";
import { Code, CodePair } from "../parts/code.tsx";
import { Panel } from "../parts/page.tsx";
import styles from "./report.module.css";

/** Every write of an active scan, first those of which something remains, with the command that deletes it. */
export function JournalPanel({ journal }: { journal: readonly JournalEntry[] }): ReactNode {
  const left = journal.filter(({ cleaned }) => !cleaned);
  return (
    <Panel title="What the scan wrote" note={noteOn(journal.length, left.length)}>
      {[...left, ...journal.filter(({ cleaned }) => cleaned)].map((entry, index) => (
        <Write key={index} entry={entry} />
      ))}
    </Panel>
  );
}

const noteOn = (sent: number, left: number): string => {
  if (sent === 0) return "The owner of the target consented to writes, but none was sent.";
  const remains = left === 0 ? "nothing remains of them" : `something remains of ${left}`;
  return `Active scan: the owner of the target consented to writes. Sent: ${sent}; ${remains}.`;
};

function Write({ entry }: { entry: JournalEntry }): ReactNode {
  const { operation, caller, request, response, object, cleaned, reason, curl } = entry;
  return (
    <details className={styles["instance"]}>
      <summary>
        <code>{visibleText(locationName(operation))}</code> as {caller}
        {object !== undefined && ` · ${visibleText(object)}`} · {cleaned ? "cleaned up" : "not cleaned up"}
      </summary>
      {reason !== undefined && <p className={styles["prose"]}>{visibleText(reason)}</p>}
      {curl !== undefined && <Code title="Delete it" what="Command" text={curl} />}
      {response ? (
        <CodePair>
          <Code title="Request" what="Request" text={requestText({ request })} />
          <Code title="Response" what="Response" text={responseText({ response })} />
        </CodePair>
      ) : (
        <Code title="Request, without a response" what="Request" text={requestText({ request })} />
      )}
    </details>
  );
}
