import { defineInjection, type Attempt } from "../../attacks/injection.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";
import { mayRedirect } from "../../attacks/url-parameters.ts";

export default defineInjection({
  id: "input-validation/header-injection",
  title: "CRLF injection (HTTP response splitting)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The value is written into a response header without removing line breaks. An attacker can inject headers or whole responses, set cookies, poison caches and run scripts in the origin of the API.",
  rule: "A header with a random name, sent after a line break in the value, is a header of the response; without the line break it is absent.",
  control: "The same text without the line break.",
  remediation: "Reject or encode CR and LF in values of response headers, or use a server that rejects them.",
  references: {
    cwe: 113,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  cost: 2,
  into: ({ type, in: location }) => type === "string" && (location === "query" || location === "path"),
  prior: (parameter, operation) => (mayRedirect(parameter, operation) ? 2 : 0.5),
  notApplicable: "No read takes a string that could become part of a header.",
  attempts: [
    breakingLine("\r\n", { ifBenign: repeatsMarker }),
    breakingLine("\n", { deep: "likely" }),
    breakingLine("\r", { deep: "likely" }),
    // Letters of which some servers keep the last byte only: CR and LF.
    breakingLine("\u{560a}\u{560d}", { deep: "likely" }),
    breakingLine("%0d%0a", { deep: "likely" }), // decoded twice
  ],
});

/** A header of the response has the benign value that was sent. */
function repeatsMarker({ headers, request }: ProbeResponse): boolean {
  const sent = /[a-z]{16}/g;
  const letters = [request.url, request.body ?? "", ...Object.values(request.headers ?? {})].flatMap(
    (text) => text.match(sent) ?? [],
  );
  return Object.values(headers).some((value) => letters.some((word) => value.includes(word)));
}

/** A header of a random name after a line break; the control has none. */
function breakingLine(lineBreak: string, options: Partial<Attempt> = {}): Attempt {
  const header = (nonce: string): string => `glovebox-${nonce.slice(0, 8)}`;
  return {
    payload: ({ baseValue, nonce }) => `${baseValue}${lineBreak}${header(nonce)}: ${nonce}`,
    control: ({ baseValue, nonce }) => `${baseValue} ${header(nonce)}: ${nonce}`,
    proof: ({ headers }, { nonce }) =>
      headers[header(nonce)] === nonce ? "The response has the injected header." : undefined,
    ...options,
  };
}
