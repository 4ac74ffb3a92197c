import { scanFailure, type JournalEntry, type Report, type ScanFailure } from "@glovebox/contract";
import type { Connection } from "../connect.ts";
import { journalOf } from "../engine/journal.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import { sendPatiently } from "../transport/retries.ts";
import { cleanUp, unlessLost } from "./clean-up.ts";

const MAX_MESSAGE = 500;

/**
 * Deletes what an active scan created, however it ended. The report lists every write; the failure of a scan that has none names what
 * remains.
 */
export async function cleaned<
  E extends { readonly report?: Report; readonly failure?: ScanFailure | undefined },
>({ writes, forCleanUp, signInAgain }: Connection, ending: E): Promise<E> {
  const { journal, operations } = writes;
  if (!journal) return ending;
  const transport = forCleanUp();
  try {
    if (journal.objects.length + journal.accounts.length > 0) await unlessLost(() => signInAgain(transport));
    const send = sendPatiently((request: ProbeRequest) => transport.send(request, { share: false }));
    await cleanUp({ journal, operations, send });
  } finally {
    await transport.close();
  }
  const entries = journalOf(journal);
  const { report, failure } = ending;
  return {
    ...ending,
    ...(report && { report: { ...report, journal: entries } }),
    ...(failure && {
      failure: { ...failure, message: (failure.message + leftBy(entries)).slice(0, MAX_MESSAGE) },
    }),
  };
}

function leftBy(journal: readonly JournalEntry[]): string {
  const left = journal.filter(({ cleaned: isCleaned }) => !isCleaned);
  const reasons = left.map(({ object, reason = "" }) =>
    object === undefined ? reason : `${object}: ${reason}`,
  );
  return left.length === 0 ? "" : ` Something remains of what it wrote. ${[...new Set(reasons)].join(" ")}`;
}

/** Fulfilled as soon as the signal aborts. */
export const cancellation = (signal: AbortSignal): Promise<{ failure: ScanFailure }> =>
  new Promise((resolve) => {
    const cancel = (): void => resolve({ failure: scanFailure("cancelled") });
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel, { once: true });
  });
