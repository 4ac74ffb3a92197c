import { join } from "node:path";
import type { createLogger } from "@glovebox/api";
import type { EgressAllowance } from "@glovebox/egress";
import type { Settings } from "../settings.ts";
import { startDemoProcess } from "./demo-process.ts";
import { listening } from "./listening.ts";
import type { DemoAuthority } from "./scan-order.ts";

export type Logger = ReturnType<typeof createLogger>;

/** The demo target of `serve`, stopped when `cleanup` is disposed of. */
export async function startDemoTarget(
  { dataDir, demoPort: port }: Settings,
  logger: Logger,
  cleanup: AsyncDisposableStack,
): Promise<DemoAuthority> {
  const variable = "GLOVEBOX_DEMO_PORT"; // its host is not set by anybody
  const place = { port: variable, host: variable, address: `127.0.0.1:${port}` };
  const onLost = (): void =>
    logger.warn("The demo target ended unexpectedly; the next start brings it back.");
  const demo = await listening(place, () =>
    startDemoProcess({ port, certificateDir: join(dataDir, "demo"), onLost }),
  );
  cleanup.defer(() => demo.stop());
  return demo;
}

/** The demo target is the only private address that scans may reach without the operator's leave. */
export function allowanceFor(demo: DemoAuthority | undefined): EgressAllowance[] {
  if (!demo) return [];
  const { hostname, port } = new URL(demo.origin);
  return [{ kind: "endpoint", host: hostname, port: Number(port) }];
}
