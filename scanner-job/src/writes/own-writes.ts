import type { Location } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isRegistration } from "../inventory/sign-in.ts";
import { resourcesOf, resourceWith, type Resource } from "../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import { decideActive } from "./active-policy.ts";
import type { WriteJournal } from "./journal.ts";

/** What a write is addressed to, among all operations of the target. */
interface Addressee {
  readonly operation: Operation | undefined;
  readonly location: Location;
  readonly operations: readonly Operation[];
}

/** Admits and journals the writes that only an active scan sends: to what it created. */
export class OwnWrites {
  readonly #journal: WriteJournal;

  constructor(journal: WriteJournal) {
    this.#journal = journal;
  }

  /** @throws NetworkError `write_refused` */
  admit(request: ProbeRequest, operation: Operation | undefined, operations: readonly Operation[]): void {
    const decision = decideActive(this.#journal.own, {
      request,
      operation: operation && { path: operation.location.path, facts: operation.facts },
      creates:
        operation !== undefined &&
        (isRegistration(operation.facts) || createdBy(operation, operations) !== undefined),
    });
    if (decision !== "send") throw new NetworkError("write_refused", decision.refused);
  }

  /** Transmits a write that was admitted, once. @throws NetworkError */
  async once(
    request: ProbeRequest,
    { operation, location, operations }: Addressee,
    transmit: () => Promise<ProbeResponse>,
  ): Promise<ProbeResponse> {
    const journal = this.#journal;
    if (journal.own.isFull) throw new NetworkError("write_refused", "Not sent: the journal is full");
    const write = journal.begin(location, request);
    const response = await transmit();
    journal.complete(write, response, operation && createdBy(operation, operations));
    return response;
  }
}

/** The resource whose objects an operation creates. */
function createdBy(operation: Operation, operations: readonly Operation[]): Resource | undefined {
  const resource = resourceWith(resourcesOf(operations), operation);
  return resource?.create === operation ? resource : undefined;
}
