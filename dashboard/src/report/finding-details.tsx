import { instancesOf, locationName } from "@glovebox/domain";
import type { Finding, Instance } from "@glovebox/contract";
import { CATEGORIES } from "@glovebox/contract/categories";
import { visibleText } from "@glovebox/contract/visible-text";
import type { ReactNode } from "react";
import { ExchangeViewer } from "../exchange/exchange-viewer.tsx";
import { Code } from "../parts/code.tsx";
import { Facts } from "../parts/page.tsx";
import { CONFIDENCE_LABELS } from "../parts/words.ts";
import styles from "./report.module.css";

/** Everything about one finding: what it is, what to do, and the proof at each location. */
export function FindingDetails({ finding }: { finding: Finding }): ReactNode {
  const { description, remediation, category, alsoAffects = [], confidence, check } = finding;
  const instances = instancesOf(finding);
  return (
    <div className={styles["body"]}>
      <p className={styles["prose"]}>{visibleText(description)}</p>
      <div>
        <h3>Remediation</h3>
        <p className={styles["prose"]}>{visibleText(remediation)}</p>
      </div>
      <Facts
        facts={{
          Category: [category, ...alsoAffects].map((each) => CATEGORIES[each].title).join(", "),
          Confidence: CONFIDENCE_LABELS[confidence],
          Check: <code>{check}</code>,
          ...referenceFacts(finding),
        }}
      />
      <div>
        <h3>{instances.length === 1 ? "Proof" : `Proof at ${instances.length} locations`}</h3>
        {instances.map((instance, index) => (
          <InstanceProof key={index} instance={instance} isOpen={index === 0} />
        ))}
      </div>
    </div>
  );
}

function referenceFacts({ references: { cwe, owasp, cvss } }: Finding): Record<string, ReactNode> {
  return {
    ...(cwe !== undefined && {
      Weakness: (
        <a href={`https://cwe.mitre.org/data/definitions/${cwe}.html`} rel="noreferrer" target="_blank">
          CWE-{cwe}
        </a>
      ),
    }),
    ...(owasp !== undefined && { OWASP: owasp }),
    ...(cvss !== undefined && { "CVSS 4.0": <code>{cvss}</code> }),
  };
}

function InstanceProof({ instance, isOpen }: { instance: Instance; isOpen: boolean }): ReactNode {
  const { location, observed, subject, evidence } = instance;
  return (
    <details className={styles["instance"]} open={isOpen}>
      <summary>
        <code>{visibleText(locationName(location))}</code>
      </summary>
      <div>
        <p className={styles["prose"]}>{visibleText(observed)}</p>
        {subject && (
          <p className={styles["prose"]}>
            Examined: <code>{visibleText(locationName(subject))}</code>
          </p>
        )}
        <p className={styles["prose"]}>
          <strong>Rule:</strong> {visibleText(evidence.rule)}
        </p>
        {evidence.pointer && (
          <Code title="Location in the document" what="JSON pointer" text={evidence.pointer} />
        )}
        <ExchangeViewer exchanges={evidence.exchanges} />
        {evidence.curl && <Code title="Reproduce" what="curl command" text={evidence.curl} />}
      </div>
    </details>
  );
}
