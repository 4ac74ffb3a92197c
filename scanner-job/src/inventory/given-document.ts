import { MAX_SPEC_BYTES, type ScanOrder } from "@glovebox/contract";
import { NetworkError } from "../transport/network-error.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import type { SendOptions } from "../transport/transport.ts";
import type { ApiDocument, readDocument } from "./api-document.ts";

type Send = (request: ProbeRequest, options?: SendOptions) => Promise<ProbeResponse>;

/** The order needs a document that cannot be used; the message, a sentence, says why. */
export class SpecUnusable extends Error {
  override readonly name = "SpecUnusable";
}

/**
 * The document that an order names, or a note on why it could not be used.
 * @throws SpecUnusable where the order needs it
 */
export async function givenDocument(
  { send, target, read }: { send: Send; target: URL; read: typeof readDocument },
  { spec, needsSpec }: Pick<ScanOrder, "spec" | "needsSpec">,
): Promise<{ document?: ApiDocument; notes: string[] }> {
  if (!spec) return { notes: [] };
  const unusable = (reason: string): { notes: string[] } => {
    if (needsSpec) throw new SpecUnusable(`${reason}.`);
    return { notes: [`The API document could not be used (${reason}); the scan went on without it.`] };
  };
  const fetched = spec.from === "text" ? { text: spec.text } : await fetchDocument(send, spec.url);
  if ("unusable" in fetched) return unusable(fetched.unusable);

  const isPublic = spec.from === "url" && new URL(spec.url).origin === target.origin;
  const origin = spec.from === "url" ? spec.url : "the order";
  // Not awaited here: this function would keep the text, which may be large, while it is read.
  return read(fetched.text, { origin, isPublic, targetUrl: target.href }).then((result) => {
    if ("unusable" in result) return unusable(result.unusable);
    const { document } = result;
    return describesNothing(document) ? unusable("It describes no operation") : { document, notes: [] };
  });
}

const describesNothing = ({ operations, callbacks }: ApiDocument): boolean =>
  operations.length + callbacks.length === 0;

async function fetchDocument(send: Send, url: string): Promise<{ text: string } | { unusable: string }> {
  try {
    const response = await send(readOf(url), { maxBodyBytes: MAX_SPEC_BYTES, share: false });
    if (response.status !== 200) return { unusable: `Its address returned status ${response.status}` };
    return response.truncated
      ? { unusable: `It is larger than ${MAX_SPEC_BYTES} bytes` }
      : { text: response.body };
  } catch (error) {
    if (error instanceof NetworkError) return { unusable: error.message };
    throw error;
  }
}
