import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ApiError } from "@glovebox/contract";
import * as z from "zod";
import { createRoute } from "../http/route.ts";

/** Only resources of this origin, nothing inline. Swagger UI has icons as data: images. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Glovebox API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({
  url: new URL("openapi.json", document.baseURI).href,
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
});
`;

const ASSETS: Readonly<Record<string, string>> = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const headers = (type: string, cacheControl: string): Record<string, string> => ({
  "Content-Type": type,
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "Cache-Control": cacheControl,
});

export const getDocs = createRoute({
  operationId: "getDocs",
  method: "get",
  path: "/v1/docs",
  access: "public",
  summary: "Read this document in a browser",
  response: { status: 200, description: "A page.", content: { type: "text/html" } },
  handler: () => ({ status: 200, headers: headers("text/html; charset=utf-8", "no-cache"), body: PAGE }),
});

/** The start script, and the few files of swagger-ui-dist that the page names. */
export const getDocsAsset = createRoute({
  operationId: "getDocsAsset",
  method: "get",
  path: "/v1/docs/{file}",
  access: "public",
  params: z.object({ file: z.string() }),
  async handler({ params: { file } }) {
    if (file === "start.js") {
      const script = headers("text/javascript; charset=utf-8", "no-cache");
      return { status: 200, headers: script, body: START_SCRIPT };
    }
    const type = Object.hasOwn(ASSETS, file) ? ASSETS[file] : undefined;
    if (!type) throw new ApiError("not_found", "No such path.");
    const body = await readFile(join(assetDirectory(), file));
    return { status: 200, headers: headers(type, "public, max-age=3600"), body };
  },
});

const assetDirectory = (): string =>
  dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
