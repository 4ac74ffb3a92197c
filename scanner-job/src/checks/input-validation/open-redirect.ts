import { canaryHost, mayRedirect } from "../../attacks/url-parameters.ts";
import { defineInjection, type Attempt } from "../../attacks/injection.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineInjection({
  id: "input-validation/open-redirect",
  title: "Open redirect",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API redirects to any host given in a parameter. An attacker can use links to the trusted domain for phishing, and can steal tokens from OAuth flows.",
  rule: "The redirect leads to exactly the submitted host, and a path of the API does not.",
  control: "A path of the API as the value.",
  remediation:
    "Redirect only to relative paths or to an allowlist of hosts, and compare the parsed URL instead of its prefix.",
  references: {
    cwe: 601,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  cost: 2,
  into: ({ type, in: location }) => type === "string" && location !== "header",
  prior: (parameter, operation) => (mayRedirect(parameter, operation) ? 3 : 0.3),
  notApplicable: "No read takes a string.",
  attempts: [
    leadingTo((host) => `https://${host}/`, { ifBenign: leadsAway }),
    leadingTo((host) => `//${host}/`, { deep: "likely" }),
    leadingTo((host) => host, { where: ({ parameter }) => parameter.in === "path", ifBenign: leadsAway }),
    leadingTo((host) => `/\\${host}/`, { deep: "likely" }),
    leadingTo((host) => `\\\\${host}/`, { deep: "likely" }),
    leadingTo((host) => `https:${host}/`, { deep: "likely" }),
    leadingTo((host) => `/\t/${host}/`, { deep: "likely" }),
    // Ways around a list of hosts that compares a part of the address: the base value's host is in it.
    leadingTo((host, own) => `https://${own}@${host}/`, { deep: "likely" }),
    leadingTo((host, own) => `https://${own}.${host}/`, { deep: "likely" }),
    leadingTo((host, own) => `https://${host}/${own}`, { deep: "likely" }),
    leadingTo((host, own) => `https://${host}?${own}`, { deep: "likely" }),
    leadingTo((host, own) => `https://${host}#${own}`, { deep: "likely" }),
  ],
});

function leadsAway(response: ProbeResponse): boolean {
  return hostsLedTo(response).length > 0;
}

/** An address at a host that cannot exist; the control is a path of the API's own. `own` is a host that the API may lead to. */
function leadingTo(address: (host: string, own: string) => string, options: Partial<Attempt> = {}): Attempt {
  return {
    payload: ({ nonce, baseValue }) => address(canaryHost(nonce), ownHost(baseValue)),
    control: ({ nonce }) => `/${nonce}`,
    proof: (response, { nonce }) =>
      hostsLedTo(response).some(
        (host) => host === canaryHost(nonce) || host.endsWith(`.${canaryHost(nonce)}`),
      )
        ? `The response with status ${response.status} redirects to the submitted host.`
        : undefined,
    ...options,
  };
}

const ownHost = (baseValue: string): string =>
  URL.canParse(baseValue) ? new URL(baseValue).hostname : "localhost";

/** By a redirect, or by a header or an element that makes a browser navigate. */
function hostsLedTo({ redirectTarget, headers, mediaType, body, request }: ProbeResponse): string[] {
  const refresh = [
    headers["refresh"] ?? "",
    mediaType === "text/html"
      ? (/<meta[^<>]{1,80}refresh[^<>]{1,300}>/i.exec(body.slice(0, 65_536))?.[0] ?? "")
      : "",
  ].flatMap((text) => /url=['"]?([^'"\s<>]{1,300})/i.exec(text)?.[1] ?? []);
  const targets = refresh.flatMap((text) =>
    URL.canParse(text, request.url) ? [new URL(text, request.url)] : [],
  );
  return [...(redirectTarget ? [redirectTarget] : []), ...targets].map(({ hostname }) => hostname);
}
