import { MAX_JOURNAL, type Location, type NotedWrite } from "@glovebox/contract";
import { saysError } from "../oracles/classify.ts";
import type { Resource } from "../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { OwnObjects } from "./active-policy.ts";
import { createdObject } from "./created-object.ts";

/** A write of an active scan, noted before it is sent. */
export interface JournaledWrite {
  /** Over all attempts of the scan. */
  readonly seq: number;
  readonly location: Location;
  readonly request: ProbeRequest;
  /** The text in what it creates that nothing else has, where an earlier attempt noted it instead of the body. */
  readonly marked?: string | undefined;
  /** Undefined until one arrives. */
  response?: ProbeResponse;
  /** Path of the object that it created, changed or deleted. */
  object?: string;
}

/** An object that the scan created. */
export interface OwnObject {
  readonly path: string;
  readonly id: string;
  readonly resource: Resource;
  /** Who created it. */
  readonly owner: string | undefined;
  readonly write: JournaledWrite;
  /**
   * What is at its path is the scan's: a response has shown the marker, and none since that it is gone. Another object may get the
   * id of one that was deleted.
   */
  isOwn: boolean;
  isDeleted: boolean;
  /** Why it could not be deleted. */
  reason?: string;
}

/** A user that the scan registered. */
export interface OwnAccount {
  /** The name of the identity. */
  readonly name: string;
  /** As the target knows it. */
  readonly userName: string;
  readonly write: JournaledWrite;
  id?: string;
  isDeleted: boolean;
  /** Why it could not be deleted. */
  reason?: string;
}

/** All writes of an active scan, and what it owns because of them. */
export class WriteJournal {
  readonly marker: string;
  readonly seed: string;
  /** Told of each write before it is sent, and of each change. */
  onChange: (write: JournaledWrite) => void = () => {};
  readonly #writes: JournaledWrite[] = [];
  readonly #objects: OwnObject[] = [];
  readonly #accounts: OwnAccount[] = [];
  /** Of earlier attempts, by their number. */
  readonly #earlier: Map<number, NotedWrite>;
  #next: number;

  /**
   * @param marker letters and digits that no other object has
   * @param seed what the passwords of its users derive from
   * @param earlier writes of earlier attempts
   */
  constructor(marker: string, seed = "", earlier: readonly NotedWrite[] = []) {
    this.marker = marker;
    this.seed = seed;
    this.#earlier = new Map(earlier.map((write) => [write.seq, write]));
    this.#next = Math.max(0, ...earlier.map(({ seq }) => seq + 1));
  }

  /** Writes of earlier attempts that this one has not taken over: they need nothing, or it could not. */
  get earlier(): readonly NotedWrite[] {
    return [...this.#earlier.values()];
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
    const objects = this.#objects.filter(({ isOwn }) => isOwn);
    for (const { resource, id } of objects) add(resource.name, id);
    for (const { id } of this.#accounts) if (id !== undefined) add("user", id);
    return {
      marker: this.marker,
      paths: new Set(objects.map(({ path }) => path)),
      ids,
      accounts: new Set(this.#accounts.map(({ name }) => name)),
      isFull: this.#next >= MAX_JOURNAL,
    };
  }

  /** Notes a write that is about to be sent. */
  begin(location: Location, request: ProbeRequest): JournaledWrite {
    const object = request.form?.kind === "own-object" ? this.#objectIn(request) : undefined;
    const seq = this.#next++;
    const write: JournaledWrite = { seq, location, request, ...(object !== undefined && { object }) };
    this.#writes.push(write);
    this.onChange(write);
    return write;
  }

  /** Takes over a write of an earlier attempt, with the object that it created. */
  takeOver(noted: NotedWrite, write: JournaledWrite, resource: Resource | undefined): void {
    this.#earlier.delete(noted.seq);
    this.#writes.push(write);
    const { object: path, id, caller: owner, proven = false } = noted;
    if (noted.form !== "creation" || !resource || path === undefined || id === undefined) return;
    this.#objects.push({ id, path, resource, owner, write, isOwn: proven, isDeleted: false });
  }

  /** Notes the response to a write, and what a creation made. */
  complete(write: JournaledWrite, response: ProbeResponse, resource: Resource | undefined): void {
    this.#complete(write, response, resource);
    this.onChange(write);
  }

  #complete(write: JournaledWrite, response: ProbeResponse, resource: Resource | undefined): void {
    write.response = response;
    if (write.request.method === "DELETE") this.#forget(write.object, response);
    if (write.request.form?.kind !== "creation" || !resource || !mayBeStored(response)) return;
    const created = createdObject(resource, { request: write.request, response, marker: this.marker });
    if (!created) return;
    const { id, path, isProven } = created;
    write.object = path;
    const owner = write.request.as;
    this.#objects.push({ id, path, resource, owner, write, isOwn: isProven, isDeleted: false });
  }

  /** Takes an object that a list shows, of a creation whose own response did not. */
  find(write: JournaledWrite, resource: Resource, { id, path }: Pick<OwnObject, "id" | "path">): void {
    write.object = path;
    const owner = write.request.as;
    this.#objects.push({ id, path, resource, owner, write, isOwn: false, isDeleted: false });
    this.onChange(write);
  }

  /** Takes a read of an object as its owner: one that shows the marker proves that what is there is the scan's, any other that it is not. */
  see({ request, status, body }: ProbeResponse): void {
    const object = this.#at(new URL(request.url).pathname);
    if (!object || request.method !== "GET") return;
    const isOwn = status === 200 && body.includes(this.marker);
    if (object.isOwn === isOwn) return;
    object.isOwn = isOwn;
    this.onChange(object.write);
  }

  /** What an action is done with is above its path. */
  #objectIn({ url }: ProbeRequest): string {
    const { pathname } = new URL(url);
    const above = this.#objects.filter(({ path }) => pathname.startsWith(`${path}/`)).map(({ path }) => path);
    return this.#at(pathname)?.path ?? above.toSorted((a, b) => b.length - a.length)[0] ?? pathname;
  }

  #forget(path: string | undefined, { status }: ProbeResponse): void {
    const object = path === undefined ? undefined : this.#at(path);
    if (!object || status >= 400) return;
    object.isOwn = false;
    this.onChange(object.write);
  }

  /** The last that was created there. */
  #at(path: string): OwnObject | undefined {
    return this.#objects.findLast((each) => each.path === path);
  }

  /** The write registered this identity. */
  registered(name: string, userName: string, write: JournaledWrite): void {
    this.#accounts.push({ name, userName, write, isDeleted: false });
    this.onChange(write);
  }

  /** The write that was responded to so. */
  writeOf(response: ProbeResponse): JournaledWrite | undefined {
    return this.#writes.find((write) => write.response === response);
  }
}

/** Anything but a refusal: a server error may come after the object was stored. */
export const mayBeStored = (response: ProbeResponse | undefined): boolean =>
  response === undefined ||
  response.status >= 500 ||
  (response.status < 400 && !(response.status === 200 && saysError(response.json)));

/** The text by which a creation marked what it makes, which nothing else has: of a user, its name. Pure. */
export function markedText({ request: { body = "" }, marked }: JournaledWrite, marker: string): string {
  const inBody = new RegExp(`${marker} [a-z]+`).exec(body) ?? new RegExp(`${marker}[a-z]`).exec(body);
  return marked ?? inBody?.[0] ?? marker;
}
