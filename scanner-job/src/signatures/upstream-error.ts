/**
 * The name of the other service or HTTP client whose own error is in a text; undefined when there is none. Only words
 * that such software writes: an API that speaks of Stripe or axios in its own words has none of them.
 */
export const upstreamErrorIn = (text: string): string | undefined =>
  SIGNATURES.find(({ pattern }) => pattern.test(text.slice(0, 32_768)))?.name;

const SIGNATURES: readonly { name: string; pattern: RegExp }[] = [
  { name: "AWS", pattern: /<Code>\w{3,60}<\/Code>[\s\S]{0,500}<(RequestId|HostId)>/ },
  { name: "AWS", pattern: /"__type"\s*:\s*"[\w.]{0,80}#?\w{0,60}(Exception|Error)"/ },
  { name: "AWS", pattern: /"\$metadata"\s*:\s*\{[^{}]{0,200}"httpStatusCode"/ },
  { name: "Stripe", pattern: /Stripe(InvalidRequest|Authentication|Card|API|Connection|Permission)Error/ },
  { name: "Stripe", pattern: /"request_log_url"\s*:\s*"https:\/\/dashboard\.stripe\.com/ },
  { name: "Twilio", pattern: /"more_info"\s*:\s*"https:\/\/www\.twilio\.com\/docs\/errors/ },
  { name: "Google", pattern: /type\.googleapis\.com\/google\.rpc\./ },
  { name: "axios", pattern: /\bAxiosError\b|Request failed with status code \d{3}/ },
  {
    name: "requests",
    pattern: /requests\.exceptions\.\w|HTTPS?ConnectionPool\(host=|Max retries exceeded with url/,
  },
  { name: "httpx", pattern: /\bhttpx\.(ConnectError|HTTPStatusError|ReadTimeout)/ },
  { name: "fetch", pattern: /FetchError: request to http|\brequest to https?:\/\/\S{1,300} failed, reason:/ },
  { name: "Feign", pattern: /feign\.FeignException/ },
  {
    name: "Spring",
    pattern:
      /web\.client\.(HttpClientErrorException|ResourceAccessException)|I\/O error on (GET|POST) request for /,
  },
  {
    name: "Go",
    pattern: /\b(Get|Post|Put) \\?"https?:\/\/[^"\\]{1,300}\\?": (dial tcp|context deadline|EOF|x509)/,
  },
  { name: "cURL", pattern: /cURL error \d{1,2}: |GuzzleHttp\\{1,2}Exception/ },
  { name: ".NET", pattern: /System\.Net\.Http\.HttpRequestException/ },
  { name: "Envoy", pattern: /upstream connect error or disconnect\/reset before headers/ },
  { name: "nginx", pattern: /no live upstreams while connecting|upstream prematurely closed connection/ },
];
