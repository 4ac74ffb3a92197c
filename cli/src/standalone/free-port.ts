/** Ports that are tried, one after the other, before the system is asked for any. */
const TRIED = 10;
const LAST_PORT = 65_535;
/** Of a port that another program has, or that this user may not use. */
const UNUSABLE = new Set(["EADDRINUSE", "EACCES"]);

export interface FreePortOptions<T> {
  readonly listen: (port: number) => Promise<T>;
  /** A port cannot be used; `next` is tried, where 0 stands for any free one. */
  readonly onTaken: (port: number, next: number) => void;
}

/**
 * Listens on this port, or on the next one that is free: what is optional does not keep the service from starting.
 * @throws what `listen` throws for another reason, or for any free port
 */
export async function onFreePort<T>(port: number, { listen, onTaken }: FreePortOptions<T>): Promise<T> {
  for (let at = port; at !== 0;) {
    try {
      return await listen(at);
    } catch (error) {
      if (!UNUSABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      const next = at + 1 < port + TRIED && at < LAST_PORT ? at + 1 : 0;
      onTaken(at, next);
      at = next;
    }
  }
  return listen(0);
}
