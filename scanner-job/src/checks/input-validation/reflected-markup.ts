import type { Probe } from "../../engine/probe.ts";
import { defineInjection, tryAttempts, type Attempt, type Point } from "../../attacks/injection.ts";
import { attributesIn } from "../../oracles/page-elements.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineInjection({
  id: "input-validation/reflected-markup",
  title: "Reflected cross-site scripting (XSS)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API reflects the value unencoded in an HTML response. An attacker can run scripts in a victim's browser, in the origin of the API, with a crafted link.",
  rule: "An HTML page, parsed like in a browser, has the submitted element with a random name and its attribute, and does not without the markup. Markup inside a title, text area, comment, attribute or script does not count.",
  control: "The same value without markup.",
  remediation:
    "Encode values for their output context with a template engine that does so automatically, return JSON as `application/json` with `nosniff`, and send a Content-Security-Policy.",
  references: {
    cwe: 79,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  cost: 1,
  atSignIn: true,
  into: ({ type, in: location }) => type === "string" && location !== "header" && location !== "cookie",
  notApplicable: "No read takes a string in its query, path or body.",
  examine: examineMarkup,
});

const FOUND = "The submitted element is an element of the page.";

const ELEMENT: Attempt = {
  payload: ({ nonce }) => `<${nonce} title="1'">`,
  control: ({ nonce }) => nonce,
  proof: (response, { nonce }) => (isWhole(response, nonce) ? FOUND : undefined),
};

/** Ends what the value may be inside of: an attribute, a comment, or an element that holds text only. */
const ENDINGS = `'">-->${["title", "textarea", "style", "script", "noscript", "template", "iframe", "xmp"]
  .map((name) => `</${name}>`)
  .join("")}`;

const AFTER_ENDINGS: Attempt = {
  payload: ({ nonce }) => `${ENDINGS}<${nonce} title="1'">`,
  control: ({ nonce }) => nonce,
  proof: (response, { nonce }) =>
    isWhole(response, nonce)
      ? "The value closed its surrounding element or attribute, and the submitted element is an element of the page."
      : undefined,
};

const AFTER_BASELINE: Attempt = {
  // Where the value is wanted as a part of what it ordinarily is.
  payload: ({ baseValue, nonce }) => `${baseValue}<${nonce}>`,
  control: ({ baseValue, nonce }) => baseValue + nonce,
  proof: (response, { nonce }) => (attributesOf(response, nonce) ? FOUND : undefined),
  deep: true,
};

/** Markup that comes back unescaped, but not as an element, is inside of something that it may end. */
async function examineMarkup(point: Point, probe: Probe) {
  let isUnescaped = false;
  const noticing: Attempt = {
    ...ELEMENT,
    proof(response, from, baseline) {
      isUnescaped ||= isPage(response) && response.body.includes(`<${from.nonce}`);
      return ELEMENT.proof(response, from, baseline);
    },
  };
  const found = await tryAttempts([noticing], point, probe);
  return found ?? tryAttempts(isUnescaped ? [AFTER_ENDINGS, AFTER_BASELINE] : [AFTER_BASELINE], point, probe);
}

/** The attributes of the element of this name in a page; undefined where the response has none. */
const attributesOf = (response: ProbeResponse, name: string): ReadonlyMap<string, string> | undefined =>
  isPage(response) && response.body.includes(`<${name}`) ? attributesIn(response.body, name) : undefined;

/** With its attribute: a filter of markup that leaves the element alone takes that away. */
const isWhole = (response: ProbeResponse, name: string): boolean =>
  attributesOf(response, name)?.has("title") === true;

/** What is called JSON or plain text is not a page, regardless of what it contains. */
const isPage = ({ mediaType }: ProbeResponse): boolean =>
  ["text/html", "application/xhtml+xml"].includes(mediaType);
