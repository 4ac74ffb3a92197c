import type { JournaledWrite } from "./journal.ts";

/** The text by which a creation marked what it makes, which nothing else has: of a user, its name. Pure. */
export function markedText({ request: { body = "" }, marked }: JournaledWrite, marker: string): string {
  const inBody = new RegExp(`${marker} [a-z]+`).exec(body) ?? new RegExp(`${marker}[a-z]`).exec(body);
  return marked ?? inBody?.[0] ?? marker;
}
