import { hostOf, type Pin } from "@glovebox/contract";
import { plainHttpRefusal } from "@glovebox/egress";

/** Why one of the URLs must not be reached without TLS. */
export function refusalOfPlainHttp(
  urls: readonly URL[],
  pins: readonly Pin[],
  rules: Parameters<typeof plainHttpRefusal>[2],
): string | undefined {
  for (const url of urls) {
    const pin = pins.find(({ host }) => host === hostOf(url));
    const refusal = pin && plainHttpRefusal(url, pin, rules);
    if (refusal) return `${url.origin} is refused: ${refusal}.`;
  }
  return undefined;
}
