import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer, type ToolCommands } from "./tools.ts";

/** Serves the tools over standard input and output, until the input ends. */
export function serveMcpOverStdio(commands: ToolCommands): { close(): Promise<void> } {
  return serveStdio(() => createMcpServer(commands));
}
