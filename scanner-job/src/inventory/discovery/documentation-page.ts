const MAX_PAGE = 64 * 1024;
const MAX_EMBEDDED = 5 * 1024 * 1024;

/** Where a Swagger UI, Redoc, RapiDoc, Scalar or Stoplight page, or its configuration, says that its document is. */
export function documentAddresses(page: string): string[] {
  const text = page.slice(0, MAX_PAGE);
  const patterns = [
    /\b(?:spec-url|data-url|apiDescriptionUrl)\s{0,20}=\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
    /["']?\b(?:url|specUrl|spec_url|openapi_url|configUrl)["']?\s{0,20}:\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
    /\bRedoc\.init\(\s{0,20}["']([^"'<>\s]{1,500})["']/g,
  ];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
  return [...new Set(found)].filter((address) => !address.startsWith("https://petstore.swagger.io"));
}

/** The document that swagger-ui-express writes into its script; undefined when there is none. */
export function embeddedDocument(script: string): string | undefined {
  const start = /"(?:swaggerDoc|spec)"\s{0,20}:\s{0,20}(?=\{)/.exec(script.slice(0, MAX_PAGE));
  return start ? balanced(script.slice(start.index + start[0].length, MAX_EMBEDDED)) : undefined;
}

/** From the first brace to the one that closes it, strings respected. */
function balanced(text: string): string | undefined {
  let depth = 0;
  let inString = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (inString && character === "\\") place += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === "{") depth += 1;
    else if (!inString && character === "}" && (depth -= 1) === 0) return text.slice(0, place + 1);
  }
  return undefined;
}
