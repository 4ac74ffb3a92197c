export { serveMcpOverStdio } from "./stdio.ts";
export { ToolError, type ToolCommands } from "./tools.ts";
