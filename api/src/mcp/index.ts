export { serveMcpOverStdio } from "./stdio.ts";
export { explanationOf, findingIn, shortOf } from "./scan-text.ts";
export { ToolError, noSuchFinding, withoutFindings, type ToolCommands } from "./tools.ts";
