import { withoutPageFrames } from "./page-scripts.ts";

/** Names of software, each with a text that only this software writes. */
type Signatures = readonly (readonly [name: string, text: RegExp])[];

const nameIn = (text: string, signatures: Signatures): string | undefined =>
  signatures.find(([, pattern]) => pattern.test(text))?.[0];

/** The runtime or framework whose stack trace, of the program's own code, is in this text; undefined where there is none. */
export function stackTraceIn(text: string): string | undefined {
  // In JSON the lines of a trace are separated by an escape, or are texts of a list.
  const lines = text
    .slice(0, 65_536)
    .replaceAll("\\r", "")
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t")
    .replace(/"(?=[ \t]{0,8}at )/g, "\n");
  return nameIn(withoutPageFrames(lines), STACK_TRACES);
}

/**
 * The name of the other service or HTTP client whose own error is in a text; undefined when there is none. Only words
 * that such software writes; an API that only mentions Stripe or axios has none of them.
 */
export const upstreamErrorIn = (text: string): string | undefined =>
  nameIn(text.slice(0, 32_768), UPSTREAM_ERRORS);

/**
 * How a connection that the server tried to make failed, by the error messages of the common HTTP clients; undefined
 * where the text has none of them.
 */
export function connectionError(text: string): "refused" | "unresolved" | undefined {
  const start = text.slice(0, 16_384);
  if (UNRESOLVED.test(start)) return "unresolved";
  return REFUSED.test(start) ? "refused" : undefined;
}

const STACK_TRACES: Signatures = [
  [
    "Java",
    /^[ \t]*at [\w$.]+\.[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/m,
  ],
  [".NET", /^[ \t]*at [\w.`<>]+\([^)\n]{0,200}\) in [^\n]{1,200}:line \d+/m],
  [".NET", /<title>[^<]{0,200}<\/title>[\s\S]{0,2000}Server Error in '\/[^']{0,80}' Application/],
  [
    "Node.js",
    /^[ \t]*at (?:(?:async )?[\w$.<>[\] ]{1,80} \()?(?:file:\/\/\/|node:|\/|[A-Z]:\\)[^\n()]{1,300}:\d+:\d+\)?/m,
  ],
  ["Python", /Traceback \(most recent call last\)/],
  ["Python", /^[ \t]*File "[^"\n]{1,200}\.py", line \d+, in /m],
  ["Django", /You're seeing this error because you have <code>DEBUG = True<\/code>/],
  [
    "PHP",
    /(?:Fatal error|Warning|Notice)(?:<\/b>)?: [^\n]{1,300} in (?:<b>)?\/[^\s<]{1,200}\.php(?:<\/b>)? on line (?:<b>)?\d+/,
  ],
  ["PHP", /Stack trace:\s*#0 [^\n]{1,300}\.php\(\d+\)/],
  ["Laravel", /"exception":\s*"[\w\\]{1,200}",\s*"file":\s*"[^"]{1,300}\.php"/],
  ["Ruby", /\w\.rb:\d+:in [`']/],
  ["Go", /goroutine \d+ \[running\]:/],
  ["Rust", /thread '[^'\n]{1,80}' panicked at /],
];

const UPSTREAM_ERRORS: Signatures = [
  ["AWS", /<Code>\w{3,60}<\/Code>[\s\S]{0,500}<(RequestId|HostId)>/],
  ["AWS", /"__type"\s*:\s*"[\w.]{0,80}#?\w{0,60}(Exception|Error)"/],
  ["AWS", /"\$metadata"\s*:\s*\{[^{}]{0,200}"httpStatusCode"/],
  ["Stripe", /Stripe(InvalidRequest|Authentication|Card|API|Connection|Permission)Error/],
  ["Stripe", /"request_log_url"\s*:\s*"https:\/\/dashboard\.stripe\.com/],
  ["Twilio", /"more_info"\s*:\s*"https:\/\/www\.twilio\.com\/docs\/errors/],
  ["Google", /type\.googleapis\.com\/google\.rpc\./],
  ["axios", /\bAxiosError\b|Request failed with status code \d{3}/],
  ["requests", /requests\.exceptions\.\w|HTTPS?ConnectionPool\(host=|Max retries exceeded with url/],
  ["httpx", /\bhttpx\.(ConnectError|HTTPStatusError|ReadTimeout)/],
  ["fetch", /FetchError: request to http|\brequest to https?:\/\/\S{1,300} failed, reason:/],
  ["Feign", /feign\.FeignException/],
  [
    "Spring",
    /web\.client\.(HttpClientErrorException|ResourceAccessException)|I\/O error on (GET|POST) request for /,
  ],
  ["Go", /\b(Get|Post|Put) \\?"https?:\/\/[^"\\]{1,300}\\?": (dial tcp|context deadline|EOF|x509)/],
  ["cURL", /cURL error \d{1,2}: |GuzzleHttp\\{1,2}Exception/],
  [".NET", /System\.Net\.Http\.HttpRequestException/],
  ["Envoy", /upstream connect error or disconnect\/reset before headers/],
  ["nginx", /no live upstreams while connecting|upstream prematurely closed connection/],
];

const REFUSED =
  /ECONNREFUSED|connection (was )?refused|actively refused|refused to connect|couldn'?t connect to (the )?(server|host)|failed to connect to|ConnectException|ConnectError|NewConnectionError|ERR_CONNECTION_REFUSED|HttpHostConnectException/i;
const UNRESOLVED =
  /ENOTFOUND|EAI_AGAIN|getaddrinfo|could ?n[o']t resolve|name or service not known|no such host|nodename nor servname|UnknownHost|name resolution|NXDOMAIN|ERR_NAME_NOT_RESOLVED|no address associated/i;
