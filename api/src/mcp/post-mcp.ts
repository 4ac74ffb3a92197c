import * as z from "zod";
import type { Services } from "../deps.ts";
import { createRoute } from "../http/route.ts";

/**
 * The Model Context Protocol over HTTP (Streamable HTTP, stateless). Other methods get 405. The protocol's library is
 * loaded with the first request: most installations have none.
 */
export const postMcp = createRoute({
  operationId: "postMcp",
  method: "post",
  path: "/mcp",
  access: "key",
  scope: "scans:read",
  body: z.unknown(),
  async handler(request, services: Services) {
    const { handleMcp } = await import("./handle-mcp.ts");
    return handleMcp(request, services);
  },
});
