import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, inject, test } from "vitest";
import { Database } from "./database.ts";

const cleanUp: (() => void)[] = [];
afterEach(() => cleanUp.splice(0).forEach((step) => step()));

/** A way to the database that can fall silent: what is open stays open, and new connections are refused. */
async function wayToDatabase(): Promise<{ url: string; fallSilent(): void; refused(): Promise<void> }> {
  const target = new URL(inject("databaseUrl"));
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    sockets.push(client, upstream);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUp.push(() => sockets.forEach((socket) => socket.destroy()));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fallSilent() {
      sockets.forEach((socket) => socket.unpipe().pause());
      server.close();
    },
    refused: () =>
      new Promise((resolve) =>
        connect(Number(url.port), url.hostname)
          .on("error", () => undefined)
          .once("close", () => resolve()),
      ),
  };
}

test("a statement that gets no answer, in an outage that refuses connections, fails and leaves the process alone", async () => {
  const unheard: unknown[] = [];
  const note = (error: unknown): void => void unheard.push(error);
  process.on("unhandledRejection", note);
  cleanUp.push(() => process.off("unhandledRejection", note));
  const way = await wayToDatabase();
  const limits = { connectTimeoutSeconds: 0.5, statementTimeoutSeconds: 0.5 };
  const database = new Database({ url: way.url, maxConnections: 1, ...limits });
  await database.run(({ sql }) => sql`select 1`);
  way.fallSilent();
  const sent = database.run(({ sql }) => sql`select 1`);
  const queued = database.run(({ sql }) => sql`select 2`);
  const outcomes = await Promise.allSettled([sent, queued]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await database.close();
  await way.refused(); // and so is whoever tried before
  expect(unheard).toEqual([]);
});
