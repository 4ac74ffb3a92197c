import { createObject, readAt } from "../../active/objects.ts";
import { sentBy } from "../../active/other-user.ts";
import { defineCheck, fail, inconclusive, notApplicable, pass, type Subject } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { shapeOf } from "../../inventory/discovery/path-template.ts";
import type { Operation } from "../../inventory/operation.ts";
import { attributesIn } from "../../oracles/page-elements.ts";
import { isSuccess } from "../../oracles/classify.ts";
import type { Resource } from "../../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

interface Stored extends Subject {
  readonly operation: Operation;
  readonly resource: Resource;
  /** Reads that may show an object: its own, those below it, its list, and pages. */
  readonly reads: readonly Operation[];
}

const MAX_READS = 8;

export default defineCheck({
  id: "input-validation/stored-markup",
  kind: "burst",
  active: true,
  category: "inputValidation",
  title: "Stored cross-site scripting (XSS)",
  severity: "high",
  confidence: "confirmed",
  description:
    "The API stores a text and returns it unencoded in an HTML page. An attacker can run scripts in the browser of everybody who opens the page, in the origin of the API. The scan stored an element with a random name in an object that it created.",
  rule: "An HTML page, parsed like in a browser, has the stored element with a random name and its attribute. Markup inside a title, text area, comment, attribute or script does not count.",
  control: "The page of an object with the same text without markup shows the text and has no such element.",
  remediation:
    "Encode values for their output context with a template engine that does so automatically, return JSON as `application/json` with `nosniff`, and send a Content-Security-Policy.",
  references: {
    cwe: 79,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:P/VC:H/VI:H/VA:N/SC:L/SI:L/SA:N",
  },
  cost: 10,

  subjects: ({ active, operations }) =>
    (active?.resources ?? []).flatMap((resource): Stored[] => {
      const { create } = resource;
      const reads = readsOf(resource, operations);
      return create && reads.length > 0
        ? [{ operation: create, location: create.location, resource, reads }]
        : [];
    }),
  notApplicable: "The scan could create no object that an operation returns.",

  async examine({ resource, reads }, probe) {
    const { owner, journal } = probe.profile.active!;
    const [plain, nonce] = [probe.nonce(), probe.nonce()];
    const deps = { journal, ...sentBy(probe) };
    const control = await createObject(resource, { owner, text: plain }, deps);
    if (!control.object) return inconclusive("No object could be created and read back.");
    const pages = await pagesOf(control.object.path, { reads, text: plain, probe });
    if (pages.length === 0) return notApplicable("No HTML page shows what is stored.");
    const text = `${nonce}<${nonce} title="1'">`;
    const { object } = await createObject(resource, { owner, text }, { ...deps, send: probe.attack });
    if (!object) return pass();
    for (const page of pages) {
      const shown = await probe.again(pageAt(page, object.path, owner));
      if (isPage(shown) && attributesIn(shown.body, nonce)?.has("title"))
        return fail(
          `The stored element is an element of the page of ${page.location.method} ${page.location.path}.`,
        );
    }
    return pass();
  },
});

/** The reads whose page shows the text. */
async function pagesOf(
  path: string,
  { reads, text, probe }: { reads: readonly Operation[]; text: string; probe: Probe },
): Promise<Operation[]> {
  const { owner } = probe.profile.active!;
  const pages: Operation[] = [];
  for (const read of reads) {
    const shown = await probe.again(pageAt(read, path, owner));
    if (isPage(shown) && isSuccess(shown) && shown.body.includes(text) && !attributesIn(shown.body, text))
      pages.push(read);
  }
  return pages;
}

const pageAt = (read: Operation, path: string, as: string): ProbeRequest => {
  const request = readAt(read, path, as);
  return { ...request, headers: { ...request.headers, accept: "text/html, */*;q=0.5" } };
};

const isPage = ({ mediaType }: ProbeResponse): boolean =>
  ["text/html", "application/xhtml+xml"].includes(mediaType);

function readsOf({ collection, read, list }: Resource, operations: readonly Operation[]): Operation[] {
  const item = `${shapeOf(collection)}/{}`;
  const gets = operations.filter(({ facts }) => facts.method === "GET" && !facts.graphqlField);
  const below = gets.filter(
    ({ location }) =>
      shapeOf(location.path).startsWith(`${item}/`) &&
      location.path.split("{").length === item.split("{").length,
  );
  const pages = gets.filter(
    ({ facts, location }) =>
      !location.path.includes("{") &&
      facts.responses.some(({ mediaType = "" }) => mediaType.includes("html")),
  );
  return [...new Set([read, ...below, list, ...pages])]
    .filter((operation) => operation !== undefined)
    .slice(0, MAX_READS);
}
