import { defineInjection } from "../../attacks/injection.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineInjection({
  id: "input-validation/reflected-markup",
  title: "Reflected cross-site scripting (XSS)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API answers with HTML and writes the value into it unescaped. A link to it runs scripts in the visitor's browser, in the origin of the API (cross-site scripting).",
  rule: "An HTML answer has an element of a random name exactly as it was sent, and does not for the name without the markup.",
  control: "The same letters without markup.",
  remediation:
    "Escape values for the place where they are written, with a template engine that does so by itself; answer JSON as `application/json` with `nosniff`, and send a Content-Security-Policy.",
  references: {
    cwe: 79,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  cost: 1,
  atSignIn: true,
  into: ({ type, in: place }) => type === "string" && place !== "header" && place !== "cookie",
  notApplicable: "No read takes a text in its query, path or body.",
  attempts: [
    {
      payload: ({ nonce }) => `<${nonce} title="1'">`,
      control: ({ nonce }) => nonce,
      proof: (reply, { nonce }) =>
        isPage(reply) && reply.body.includes(`<${nonce} title="1'">`)
          ? "The element was in the page as it was sent."
          : undefined,
    },
    {
      // Where the value is wanted as a part of what it ordinarily is.
      payload: ({ ordinary, nonce }) => `${ordinary}<${nonce}>`,
      control: ({ ordinary, nonce }) => ordinary + nonce,
      proof: (reply, { nonce }) =>
        isPage(reply) && reply.body.includes(`<${nonce}>`)
          ? "The element was in the page as it was sent."
          : undefined,
      deep: true,
    },
  ],
});

/** What is called JSON or plain text is no page, whatever it contains. */
const isPage = ({ mediaType }: Reply): boolean => ["text/html", "application/xhtml+xml"].includes(mediaType);
