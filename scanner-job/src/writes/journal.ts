import { MAX_JOURNAL, type Location } from "@glovebox/contract";
import { saysError } from "../oracles/classify.ts";
import type { Resource } from "../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { OwnObjects } from "./active-policy.ts";
import { createdObject } from "./created-object.ts";

/** A write of an active scan, noted before it is sent. */
export interface JournaledWrite {
  readonly location: Location;
  readonly request: ProbeRequest;
  /** Undefined until one arrives. */
  response?: ProbeResponse;
  /** Path of the object that it created, changed or deleted. */
  object?: string;
}

/** An object that the scan created, and that has been seen to be its own. */
export interface OwnObject {
  readonly path: string;
  readonly id: string;
  readonly resource: Resource;
  /** Who created it. */
  readonly owner: string | undefined;
  readonly write: JournaledWrite;
  isDeleted: boolean;
}

/** A user that the scan registered. */
export interface OwnAccount {
  /** The name of the identity. */
  readonly name: string;
  readonly write: JournaledWrite;
  id?: string;
  isDeleted: boolean;
}

/** All writes of an active scan, and what it owns because of them. */
export class WriteJournal {
  readonly marker: string;
  readonly #writes: JournaledWrite[] = [];
  readonly #objects: OwnObject[] = [];
  readonly #accounts: OwnAccount[] = [];
  /** Objects whose response to the creation names them, and that no response has shown yet. */
  readonly #unproven = new Map<string, OwnObject>();

  /** @param marker letters and digits that no other object has */
  constructor(marker: string) {
    this.marker = marker;
  }

  /** In the order in which they were sent. */
  get writes(): readonly JournaledWrite[] {
    return this.#writes;
  }

  get objects(): readonly OwnObject[] {
    return this.#objects;
  }

  get accounts(): readonly OwnAccount[] {
    return this.#accounts;
  }

  /** What the policy decides by. */
  get own(): OwnObjects {
    const ids = new Map<string, Set<string>>();
    const add = (name: string, id: string) => ids.set(name, (ids.get(name) ?? new Set()).add(id));
    for (const { resource, id } of this.#objects) add(resource.name, id);
    for (const { id } of this.#accounts) if (id !== undefined) add("user", id);
    return {
      marker: this.marker,
      paths: new Set(this.#objects.map(({ path }) => path)),
      ids,
      accounts: new Set(this.#accounts.map(({ name }) => name)),
      isFull: this.#writes.length >= MAX_JOURNAL,
    };
  }

  /** Notes a write that is about to be sent. */
  begin(location: Location, request: ProbeRequest): JournaledWrite {
    const object = request.form?.kind === "own-object" ? new URL(request.url).pathname : undefined;
    const write: JournaledWrite = { location, request, ...(object !== undefined && { object }) };
    this.#writes.push(write);
    return write;
  }

  /** Notes the response to a write, and what a creation made. */
  complete(write: JournaledWrite, response: ProbeResponse, resource: Resource | undefined): void {
    write.response = response;
    if (write.request.form?.kind !== "creation" || !resource || !mayBeStored(response)) return;
    const created = createdObject(resource, { request: write.request, response, marker: this.marker });
    if (!created) return;
    const { id, path, isProven } = created;
    write.object = path;
    const object = { id, path, resource, owner: write.request.as, write, isDeleted: false };
    if (isProven) this.#objects.push(object);
    else this.#unproven.set(path, object);
  }

  /** Takes a read of an object: one that shows the marker proves that the scan created it. */
  see(response: ProbeResponse): OwnObject | undefined {
    const { pathname } = new URL(response.request.url);
    const object = this.#unproven.get(pathname);
    const isShown = response.status === 200 && response.body.includes(this.marker);
    if (!object || !isShown || response.request.method !== "GET") return undefined;
    this.#unproven.delete(pathname);
    this.#objects.push(object);
    return object;
  }

  /** The write registered this identity. */
  registered(name: string, write: JournaledWrite): void {
    this.#accounts.push({ name, write, isDeleted: false });
  }

  /** The write of this request, the last if it was sent several times. */
  writeOf(request: ProbeRequest): JournaledWrite | undefined {
    return this.#writes.findLast((write) => write.request === request);
  }
}

/** Anything but a refusal: a server error may come after the object was stored. */
export const mayBeStored = (response: ProbeResponse | undefined): boolean =>
  response === undefined ||
  response.status >= 500 ||
  (response.status < 400 && !(response.status === 200 && saysError(response.json)));
