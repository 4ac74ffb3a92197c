import type { ProbeResponse } from "../transport/exchange.ts";

/** What a target is made with, as far as it matters for what else may be served. */
export type Product = keyof typeof SIGNS;

/** The products that baseline responses and responses to paths that do not exist give away: by headers, cookies and texts. */
export function productsIn(responses: readonly ProbeResponse[]): ReadonlySet<Product> {
  const texts = responses.map(
    ({ headers, body }) =>
      `${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n")}\n\n${body.slice(0, 16_384)}`,
  );
  const names = Object.keys(SIGNS) as Product[];
  return new Set(names.filter((name) => texts.some((text) => SIGNS[name].test(text))));
}

/** Headers stand at the beginnings of lines, their names in lower case. */
const SIGNS = {
  spring:
    /Whitelabel Error Page|^x-application-context:|"status":\s?404,\s?"error":\s?"Not Found",\s?("message"[^,]{0,200},\s?)?"path":/m,
  java: /^(server|x-powered-by):.{0,60}(tomcat|jetty|undertow|jboss|wildfly|servlet)|JSESSIONID|Apache Tomcat/im,
  quarkus: /quarkus|RESTEASY\d{6}|Resource not found - /i,
  node: /^x-powered-by: (express|next\.js)|Cannot GET \/|connect\.sid|"message":\s?"(Cannot|Route) GET[ :]/im,
  php: /^x-powered-by:.{0,40}php\/|PHPSESSID|\.php\b/im,
  laravel: /laravel_session|XSRF-TOKEN=eyJ|Illuminate\\\\|laravel/i,
  symfony: /^x-debug-token|symfony/im,
  wordpress: /wp-(content|json|includes)/,
  python:
    /^server:.{0,40}(werkzeug|gunicorn|uvicorn|hypercorn|waitress|daphne)|^\{"detail":\s?"Not Found\.?"\}$/im,
  django: /csrftoken=|DEBUG = True|\{"detail":\s?"Not found\."\}/,
  flask: /^server: werkzeug/im,
  rails: /^x-runtime: \d|Routing Error|_rails|ActionController/m,
  dotnet:
    /^x-(aspnet|aspnetmvc)-version|^x-powered-by: asp\.net|^server: (kestrel|microsoft-)|tools\.ietf\.org\/html\/rfc\d{4}#section.{0,200}"traceId"/im,
  go: /^404 page not found$/m,
  elixir: /_key=SFMyNTY|Phoenix|^server: cowboy/im,
  apache: /^server: apache(\/| |$)/im,
  nginx: /^server: (nginx|openresty)/im,
} as const satisfies Readonly<Record<string, RegExp>>;
