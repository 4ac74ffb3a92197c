import type { Exchange } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import type { ReactNode } from "react";
import { Code, CodePair, removedClass } from "../parts/code.tsx";
import { markDifferences, type Segment } from "./diff.ts";
import { comparisonOf, requestText, responseText } from "./exchange-text.ts";

const ROLE_LABELS: Record<Exchange["role"], string> = {
  baseline: "Baseline",
  control: "Control",
  attack: "Attack",
  repeat: "Repeat",
};

/** The proof: the attack beside its control with the differences marked, and below it every other exchange. */
export function ExchangeViewer({ exchanges }: { exchanges: readonly Exchange[] }): ReactNode {
  const compared = comparisonOf(exchanges);
  const others = exchanges.filter((each) => each !== compared?.attack && each !== compared?.control);
  return (
    <>
      {compared?.control && <Compared attack={compared.attack} control={compared.control} />}
      {compared && !compared.control && <Single exchange={compared.attack} />}
      {others.length > 0 && (
        <details open={!compared}>
          <summary>
            {others.length} {compared ? "further " : ""}
            {others.length === 1 ? "exchange" : "exchanges"}
          </summary>
          {others.map((exchange, index) => (
            <Single key={index} exchange={exchange} />
          ))}
        </details>
      )}
    </>
  );
}

function Compared({ attack, control }: { attack: Exchange; control: Exchange }): ReactNode {
  return (
    <>
      <Side what="request" control={requestText(control)} attack={requestText(attack)} role={control.role} />
      <Side
        what="response"
        control={responseText(control)}
        attack={responseText(attack)}
        role={control.role}
      />
    </>
  );
}

function Side({
  what,
  control,
  attack,
  role,
}: {
  readonly what: string;
  readonly control: string;
  readonly attack: string;
  readonly role: Exchange["role"];
}): ReactNode {
  const { left, right } = markDifferences(control, attack);
  return (
    <CodePair>
      <Code title={`${ROLE_LABELS[role]}: ${what}`} what={`${ROLE_LABELS[role]} ${what}`} text={control}>
        <Marked segments={left} className={removedClass} />
      </Code>
      <Code title={`Attack: ${what}`} what={`Attack ${what}`} text={attack}>
        <Marked segments={right} />
      </Code>
    </CodePair>
  );
}

const Marked = ({ segments, className }: { segments: readonly Segment[]; className?: string }): ReactNode =>
  segments.map(({ text, differs }, index) =>
    differs ? (
      <mark key={index} className={className}>
        {visibleText(text)}
      </mark>
    ) : (
      visibleText(text)
    ),
  );

function Single({ exchange }: { exchange: Exchange }): ReactNode {
  const role = ROLE_LABELS[exchange.role];
  return (
    <CodePair>
      <Code title={`${role}: request`} what={`${role} request`} text={requestText(exchange)} />
      <Code title={`${role}: response`} what={`${role} response`} text={responseText(exchange)} />
    </CodePair>
  );
}
