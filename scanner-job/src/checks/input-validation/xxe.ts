import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { encodeBody } from "../../inventory/body-encoding.ts";
import type { BodyShape, Operation } from "../../inventory/operation.ts";
import { withMember } from "../../json.ts";
import { notReached } from "../../attacks/refusals.ts";
import { spread } from "../../attacks/subjects.ts";
import { MALFORMED, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck<Operation>({
  id: "input-validation/xxe",
  kind: "differential",
  category: "inputValidation",
  title: "XML external entity injection (XXE)",
  severity: "high",
  confidence: "firm",
  description:
    "The XML parser processes document type declarations and expands entities. An attacker can read files of the server, make it send requests (SSRF) and exhaust its memory. Only internal entities were sent.",
  rule: "The response contains a random word assembled from two internal entities, and does not without the entity declarations.",
  control: "The same document without the entity declarations.",
  remediation:
    "Disable document type declarations in the XML parser (`disallow-doctype-decl`, `resolve_entities=False`, no `LIBXML_NOENT`), and reject XML where JSON is expected.",
  references: {
    cwe: 611,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:L/SI:N/SA:N",
  },
  cost: 2,
  prior: ({ facts }) => (takesXml(facts.body?.mediaType, facts.body?.sample) ? 3 : 0.3),

  subjects: (profile) => spread(profile.operations.filter((operation) => mayTakeXml(operation))),
  notApplicable: "No operation takes XML, and no read takes a body that could be sent as XML.",

  async examine(operation, probe) {
    const [first, second] = [probe.nonce(), probe.nonce()];
    const sent: ProbeResponse[] = [];
    for (const form of formsOf(operation)) {
      const declared = `<!DOCTYPE glovebox [<!ENTITY one "${first}"><!ENTITY two "${second}">]>`;
      const response = await probe.attack(await requestWith(operation, probe, { ...form, declared }));
      sent.push(response);
      if (!response.body.includes(first + second)) continue;
      const control = await probe.control(await requestWith(operation, probe, { ...form, declared: "" }));
      return control.body.includes(first + second)
        ? inconclusive("The response contains values from earlier requests.")
        : fail("The response contains the expanded text of two entities.");
    }
    return notReached(sent[0]!) ?? (sent.every(({ status }) => status >= 500) ? inconclusive(FAULT) : pass());
  },
});

const FAULT = "Each document caused a server error.";

const mayTakeXml = (operation: Operation): boolean => {
  const { body, method } = operation.facts;
  if (!body || method === "GET") return false;
  return takesXml(body.mediaType, body.sample) || (operation.isRead && /json/i.test(body.mediaType));
};

const takesXml = (mediaType = "", sample: unknown): boolean =>
  /[/+]xml\b/i.test(mediaType) || (/^text\//i.test(mediaType) && /^\s*</.test(String(sample)));

interface Form {
  readonly mediaType: string;
  readonly document: string;
}

/** A read gets a document with the members that it takes; what may write gets one that it cannot take for its own. */
function formsOf({ isRead, facts: { body } }: Operation): readonly Form[] {
  if (isRead && body!.xml && takesXml(body!.mediaType, body!.sample))
    return [{ mediaType: body!.mediaType, document: ownDocument(body!) }];
  const names = isRead ? body!.fields.filter(({ path, name }) => path === name).map(({ name }) => name) : [];
  const members = names.slice(0, 20).map((name) => `<${tagOf(name)}>${ENTITIES}</${tagOf(name)}>`);
  const root = tagOf(isRead ? (body!.xml?.root ?? "root") : "glovebox");
  const document = `<${root}>${members.join("") || ENTITIES}</${root}>`;
  const own = takesXml(body!.mediaType, body!.sample) ? [body!.mediaType] : ["application/xml", "text/xml"];
  return own.map((mediaType) => ({ mediaType, document }));
}

const ENTITIES = "&one;&two;";

/** The sample as it is written, with the entities in all of its texts. */
function ownDocument(body: BodyShape): string {
  const content = body.fields
    .filter(({ type }) => type === "string")
    .reduce<unknown>((rest, { path }) => withMember(rest, path, MARK), body.sample);
  const written = encodeBody(body, content).body.replace(/^<\?xml[^>]*\?>/, "");
  return written.replaceAll(MARK, ENTITIES);
}

const MARK = "glovebox-entities";

const tagOf = (name: string): string => name.replace(/[^\w.-]/g, "_").replace(/^(?![A-Za-z_])/, "_");

const requestWith = (
  operation: Operation,
  probe: Probe,
  { mediaType, document, declared }: Form & { readonly declared: string },
): Promise<ProbeRequest> =>
  probe.withRealIds(operation, {
    body: `<?xml version="1.0"?>${declared}${document}`,
    headers: { "content-type": mediaType, accept: "*/*" },
    ...(operation.isRead ? {} : { form: MALFORMED }),
  });
