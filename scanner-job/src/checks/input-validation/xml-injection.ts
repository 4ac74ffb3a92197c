import { defineInjection } from "../../attacks/injection.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineInjection({
  id: "input-validation/xml-injection",
  title: "XML injection",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API answers with XML and writes the value into it unescaped. Callers add elements of their own, which readers of the document cannot tell from those of the API: another role, another price.",
  rule: "An answer in XML has an element of a random name exactly as it was sent, and does not for the name without the markup.",
  control: "The same letters without markup.",
  remediation:
    "Write XML with a library that escapes `<`, `>`, `&` and quotes in values, and validate it against its schema.",
  references: {
    cwe: 91,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },
  cost: 1,
  prior: () => 0.5,
  into: ({ type }) => type === "string",
  notApplicable: "No read takes a text.",
  attempts: [
    {
      payload: ({ ordinary, nonce }) => `${ordinary}<${nonce}/>`,
      control: ({ ordinary, nonce }) => ordinary + nonce,
      proof: (reply, { nonce }) =>
        isXml(reply) && reply.body.includes(`<${nonce}/>`)
          ? "The element was in the document as it was sent."
          : undefined,
      ifLetters: (reply) => isXml(reply),
    },
  ],
});

const isXml = ({ mediaType }: Reply): boolean => /[/+]xml$/.test(mediaType) && !/xhtml/.test(mediaType);
