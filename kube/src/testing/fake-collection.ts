import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";

/** An object of a fake API server: JSON with metadata. */
export interface FakeObject {
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export interface FakeEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: FakeObject;
  /** The object before the event. */
  readonly previous: FakeObject | undefined;
  readonly version: number;
}

/** A refusal with the status code and the reason that the real server would give. */
export class Refusal extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
    this.reason = reason;
  }
}

/** What all collections share: one count of versions, and the history that watches read. */
export class FakeHistory extends EventEmitter {
  version = 100;
  /** Watches and pages from before this version were deleted. */
  oldest = 0;
  readonly events: (FakeEvent & { readonly path: string })[] = [];

  append(path: string, type: FakeEvent["type"], object: FakeObject, previous?: FakeObject): FakeObject {
    this.version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    const event = { path, type, object: stored, previous, version: this.version };
    this.events.push(event);
    this.emit("event", event);
    return stored;
  }

  /** Forgets all events so far, as etcd does by compaction. */
  compact(): void {
    this.version += 1;
    this.oldest = this.version;
    this.events.length = 0;
  }
}

/** The objects under one path, with the rules of the API for writes. */
export class FakeCollection {
  readonly objects = new Map<string, FakeObject>();
  readonly #path: string;
  readonly #history: FakeHistory;

  constructor(path: string, history: FakeHistory) {
    this.#path = path;
    this.#history = history;
  }

  get(name: string): FakeObject {
    const object = this.objects.get(name);
    if (object === undefined) throw new Refusal(404, "NotFound");
    return object;
  }

  create(body: Partial<FakeObject>): FakeObject {
    const metadata = { ...body.metadata, uid: randomUUID() } as FakeObject["metadata"];
    if (this.objects.has(metadata.name)) throw new Refusal(409, "AlreadyExists");
    const managedFields = [{ manager: "test", operation: "Update", fieldsV1: {} }];
    const creationTimestamp = "2026-03-01T00:00:00Z";
    return this.#store("ADDED", {
      ...body,
      metadata: { ...metadata, namespace: this.#namespace, creationTimestamp, managedFields },
    } as FakeObject);
  }

  replace(name: string, body: FakeObject): FakeObject {
    const held = this.get(name);
    this.#checkVersion(held, body.metadata.resourceVersion);
    return this.#store("MODIFIED", { ...body, metadata: { ...held.metadata, ...body.metadata } });
  }

  merge(name: string, patch: Partial<FakeObject>): FakeObject {
    const held = this.get(name);
    this.#checkVersion(held, patch.metadata?.resourceVersion);
    return this.#store("MODIFIED", merged(held, patch) as FakeObject);
  }

  delete(name: string, uid?: string): FakeObject {
    const held = this.get(name);
    if (uid !== undefined && uid !== held.metadata.uid) throw new Refusal(409, "Conflict");
    this.objects.delete(name);
    return this.#history.append(this.#path, "DELETED", held, held);
  }

  get #namespace(): string | undefined {
    return /\/namespaces\/([^/]+)\//.exec(`${this.#path}/`)?.[1];
  }

  #store(type: FakeEvent["type"], object: FakeObject): FakeObject {
    const previous = this.objects.get(object.metadata.name);
    const stored = this.#history.append(this.#path, type, object, previous);
    this.objects.set(object.metadata.name, stored);
    return stored;
  }

  #checkVersion(held: FakeObject, version: string | undefined): void {
    if (version !== undefined && version !== held.metadata.resourceVersion)
      throw new Refusal(409, "Conflict");
  }
}

/** A merge patch (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(typeof target === "object" ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}
