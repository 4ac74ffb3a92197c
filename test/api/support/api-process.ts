import { createApi, createLogger } from "@glovebox/api";
import { createEgressPolicy } from "@glovebox/egress";
import { openStore } from "@glovebox/store";

// An API process with the database of DATABASE_URL. Prints its URL, and exits when its stdin closes.
const store = await openStore({ url: process.env["DATABASE_URL"]! });
const api = createApi({
  store,
  launcher: { launch: async () => undefined, cancel: async () => undefined },
  egress: { policy: createEgressPolicy(), lookup: async () => ["93.184.215.14"] },
  logger: createLogger("silent"),
  now: () => new Date(),
  settings: { port: 0 },
});
await api.start();
process.stdout.write(`${api.url()}\n`);
process.stdin.resume().once("end", () => void api.close().then(() => store.close()));
