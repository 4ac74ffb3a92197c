import { createApi, createLogger, keepHeapSmall, type ApiDeps } from "@glovebox/api";
import { createEgressPolicy } from "@glovebox/egress";
import { openStore } from "@glovebox/store";
import { announce, databaseUrl } from "./src/child.ts";

/**
 * The API as `glovebox serve` composes it, with its log, authentication, limits and egress guard. Two things differ: no scan is
 * carried out, and names resolve without asking a name server.
 */
keepHeapSmall();
const store = await openStore({ url: databaseUrl() });
const launcher: ApiDeps["launcher"] = { launch: async () => {}, cancel: async () => {} };
const api = createApi({
  store,
  launcher,
  egress: { policy: createEgressPolicy(), lookup: async () => ["93.184.215.14"] },
  logger: createLogger("info"),
  now: () => new Date(),
  settings: { port: 0 },
});
await api.start();
announce(api.url());
