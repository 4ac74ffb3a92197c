import { MAX_SPEC_BYTES } from "@glovebox/contract";
import { isObject, listMember, textMember } from "../../json.ts";
import { MAX_PAGE, scriptsOf } from "./links.ts";

/** The document URLs in a Swagger UI, Redoc, RapiDoc, Scalar or Stoplight page, or in its configuration. */
export function documentAddresses(page: string): string[] {
  const text = page.slice(0, MAX_PAGE).replaceAll("&quot;", '"').replaceAll("\\/", "/");
  const patterns = [
    /\b(?:spec-url|data-url|apiDescriptionUrl)\s{0,20}=\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
    /["']?\b(?:url|specUrl|spec_url|openapi_url|configUrl)["']?\s{0,20}:\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
    /\bRedoc\.init\(\s{0,20}["']([^"'<>\s]{1,500})["']/g,
    /\b(?:url|specUrl|spec_url|definitionURL|apiUrl)\s{0,20}=\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
  ];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
  return [...new Set(found)].filter((address) => !/^https?:\/\/petstore\.swagger\.io/.test(address));
}

/** Scripts of a console's page that hold its configuration, or the document itself. */
export const configurationScripts = (page: string): string[] =>
  scriptsOf(page).filter((address) => /init|config|settings/i.test(address.split("/").at(-1) ?? ""));

/**
 * Documents that a response in JSON leads to: Springfox's list at /swagger-resources, springdoc's swagger-config with
 * `url` or `urls`.
 */
export function referredDocuments(json: unknown): string[] {
  const config = isObject(json) && !isDocument(json) ? [json, ...listMember(json, "urls", 5)] : [];
  const list = Array.isArray(json) ? json.slice(0, 5) : config;
  return list
    .map((item) => textMember(item, "url", 500) ?? textMember(item, "location", 500))
    .filter((address) => address !== undefined && !address.includes("swagger-resources")) as string[];
}

const isDocument = (json: object): boolean =>
  ["openapi", "swagger", "paths"].some((key) => Object.hasOwn(json, key));

/** True for a response that begins like an OpenAPI or Swagger document, in JSON or YAML. */
export function looksLikeDocument(json: unknown, text: string): boolean {
  if (isObject(json)) return isDocument(json);
  return /^[\s{]*["']?(openapi|swagger)["']?\s*:/m.test(text.slice(0, 4_096));
}

/** The document that a console's script or page has inside; undefined when there is none. */
export function embeddedDocument(script: string): string | undefined {
  const start =
    /["']?\b(?:swaggerDoc|spec|content)["']?\s{0,20}:\s{0,20}(?=\{\s{0,20}["']?(?:openapi|swagger|paths|info)\b)/.exec(
      script.slice(0, MAX_PAGE),
    );
  return start ? balanced(script.slice(start.index + start[0].length, MAX_SPEC_BYTES)) : undefined;
}

/** From the first brace to the one that closes it, strings respected. */
function balanced(text: string): string | undefined {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === "\\") index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === "{") depth += 1;
    else if (!inString && character === "}" && (depth -= 1) === 0) return text.slice(0, index + 1);
  }
  return undefined;
}
