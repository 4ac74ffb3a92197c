import type { IsolationProof } from "@glovebox/contract";
import type { ReactNode } from "react";
import { Facts, Panel } from "../parts/page.tsx";
import { formatDuration, formatTime } from "../parts/time.ts";

/** That the scanner could reach its target and nothing else. */
export function IsolationPanel({ proof }: { proof: IsolationProof }): ReactNode {
  const { canary, canaries = [canary], provenAt, attempts, elapsedMs, connected } = proof;
  return (
    <Panel
      title="Isolation proof"
      note="Before its first request the scanner reached its target, and was blocked from an address that every other pod reaches."
    >
      <Facts
        facts={{
          Proven: formatTime(provenAt),
          "Blocked from": canaries.map(({ address, port }) => (
            <div key={address}>{`${address} port ${port}`}</div>
          )),
          Observations: attempts,
          "Until the proof": formatDuration(elapsedMs),
          "Reached before the policy took effect": connected,
        }}
      />
    </Panel>
  );
}
