import type { Exchange, Outage, Period, Received, Stream } from "./facts.ts";

/** After PostgreSQL or a service runs again, the service has this time to open its connections. In milliseconds. */
const RECONNECTION_MS = 10_000;

/** A sentence for each response that no document allows: late, lost, or an error that nothing explains. */
export const unexplainedResponses = (exchanges: readonly Exchange[], outages: readonly Outage[]): string[] =>
  exchanges.flatMap((exchange) => {
    const { client, what, service, response, from, to } = exchange;
    if (isExplained(exchange, outages)) return [];
    const seconds = ((to - from) / 1000).toFixed(1);
    return [
      `${what} (${client}) to service ${service}: ${textOf(response)} after ${seconds} s at ${at(from)}`,
    ];
  });

function isExplained(exchange: Exchange, outages: readonly Outage[]): boolean {
  const { response, service } = exchange;
  if (response === "late") return false;
  if (response === "lost")
    return outages.some((outage) => isOf(outage, service) && overlaps(exchange, outage));
  const { status, code, hasRetryAfter } = response;
  if (code !== "unavailable") return isDocumented(response, exchange.expected);
  const isDown = outages.some(
    (outage) =>
      (outage.component === "PostgreSQL" || isOf(outage, service)) && overlaps(exchange, afterwards(outage)),
  );
  return status === 503 && hasRetryAfter && isDown;
}

/** Whether the response needs no outage to explain it. Why a scan failed is a question to the scan. */
function isDocumented(response: Received, expected: readonly string[]): boolean {
  const { status, code, hasRetryAfter, hasLocation } = response;
  if (status < 400 || (code !== undefined && expected.includes(code))) return true;
  if (code === "scan_failed") return status === 500 && hasLocation;
  return code === "rate_limit_exceeded" && status === 429 && hasRetryAfter;
}

/** A sentence for each event stream that fell silent, or ended before the scan although its service ran. */
export const brokenStreams = (streams: readonly Stream[], outages: readonly Outage[]): string[] =>
  streams.flatMap((stream) => {
    const { scan, service, end, isSilent, from } = stream;
    if (isSilent)
      return [`the event stream of ${scan} from service ${service} fell silent, opened at ${at(from)}`];
    const isInterrupted = outages.some((outage) => isOf(outage, service) && overlaps(stream, outage));
    if (end !== undefined || isInterrupted) return [];
    return [`the event stream of ${scan} from service ${service} ended early, opened at ${at(from)}`];
  });

const isOf = ({ component, service }: Outage, of: number): boolean =>
  component === "service" && service === of;
const overlaps = (one: Period, other: Period): boolean => one.from <= other.to && one.to >= other.from;
const afterwards = ({ from, to }: Period): Period => ({ from, to: to + RECONNECTION_MS });

const at = (moment: number): string => new Date(moment).toISOString().slice(11, 19);

function textOf(response: Received | "lost" | "late"): string {
  if (typeof response === "string") return response === "lost" ? "no response" : "no response in time";
  const { status, code = "no code", hasRetryAfter } = response;
  return `${status} ${code}${hasRetryAfter ? "" : " without Retry-After"}`;
}
