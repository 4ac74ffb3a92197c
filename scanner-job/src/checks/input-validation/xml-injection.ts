import { defineInjection } from "../../attacks/injection.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineInjection({
  id: "input-validation/xml-injection",
  title: "XML injection",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API writes the value unescaped into an XML response. An attacker can inject elements, such as another role or price, that consumers of the document trust.",
  rule: "An XML response contains an element with a random name exactly as submitted, and does not without the markup.",
  control: "The same value without markup.",
  remediation:
    "Generate XML with a library that escapes `<`, `>`, `&` and quotes in values, and validate it against its schema.",
  references: {
    cwe: 91,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },
  cost: 1,
  prior: () => 0.5,
  into: ({ type }) => type === "string",
  notApplicable: "No read takes a string.",
  attempts: [
    {
      payload: ({ baseValue, nonce }) => `${baseValue}<${nonce}/>`,
      control: ({ baseValue, nonce }) => baseValue + nonce,
      proof: (response, { nonce }) =>
        isXml(response) && response.body.includes(`<${nonce}/>`)
          ? "The document contains the element as submitted."
          : undefined,
      ifBenign: (response) => isXml(response),
    },
  ],
});

const isXml = ({ mediaType }: ProbeResponse): boolean =>
  /[/+]xml$/.test(mediaType) && !/xhtml/.test(mediaType);
