import { createApi, createLogger, keepHeapSmall, type ApiDeps } from "@glovebox/api";
import { createEgressPolicy } from "@glovebox/egress";
import { openStore } from "@glovebox/store";
import { databaseUrl, reportReady } from "./src/child.ts";

/** The API as `glovebox serve` runs it, except that no scan runs and names resolve without a name server. */
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
reportReady(api.url());
