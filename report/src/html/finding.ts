import { instancesOf, locationName } from "@glovebox/domain";
import {
  type CompletedScan,
  type Exchange,
  type Finding,
  type Instance,
  type References,
} from "@glovebox/contract";
import { categoryTitles, explanationOf, markText, locationsOf, type Part } from "../findings.ts";
import { journalEntryText, journalText } from "../journal.ts";
import { linesOf, markup, type Markup } from "../markup.ts";
import { SIDE_EFFECTS, sideEffectText } from "../side-effects.ts";
import { beginning, counted } from "../text.ts";

/** Locations of one finding whose requests are shown. */
const MAX_PROOFS = 3;
const MAX_LOCATIONS = 50;
const MAX_BODY_LENGTH = 4_000;

/** A finding: what and where, its proof, and what to do about it. */
export function findingArticle({ finding, mark }: Part): Markup {
  const { id, check, title, severity, confidence, remediation, references } = finding;
  const kind = mark ? markup` class="decided"` : undefined;
  return markup`<article id="${id}"${kind}>
<div class="title"><span class="severity ${severity}">${severity}</span><h3>${title}</h3></div>
<p class="meta">${categoryTitles(finding)} · ${confidence} · ${check} · ${id}</p>
${mark && markup`<p><strong>Decision:</strong> ${markText(mark)}</p>`}
<p>${[finding.observed ?? "", explanationOf(finding)].filter((text) => text !== "").join(" ")}</p>
<h4>Where</h4>
${places(finding)}
<h4>Remediation</h4>
<p>${remediation}</p>
<h4>Proof</h4>
${proofs(finding)}
${referenceList(references)}
</article>
`;
}

function places(finding: Finding): Markup {
  const all = locationsOf(finding);
  const more = all.length - MAX_LOCATIONS;
  return markup`<ul class="locations">${all.slice(0, MAX_LOCATIONS).map((location) => markup`<li><code>${location}</code></li>`)}${
    more > 0 ? markup`<li>and ${more} more</li>` : undefined
  }</ul>`;
}

function proofs(finding: Finding): Markup {
  const instances = instancesOf(finding);
  const more = instances.length - MAX_PROOFS;
  return markup`<p>${finding.evidence.rule}</p>
${instances.slice(0, MAX_PROOFS).map((instance) => proof(instance))}${
    more > 0
      ? markup`<p class="meta">The proof of ${counted(more, "more location")} is in the JSON report.</p>`
      : undefined
  }`;
}

function proof({ location, observed, evidence: { exchanges, curl, pointer } }: Instance): Markup {
  const control = exchanges.find(({ role }) => role === "control" || role === "baseline");
  const attack = exchanges.find(({ role }) => role === "attack") ?? exchanges.at(-1);
  const shown = [control, attack].filter((each): each is Exchange => each !== undefined);
  return markup`<details><summary>${locationName(location)}</summary>
<p>${observed}</p>
${pointer === undefined ? undefined : markup`<p>In the document at <code>${pointer}</code></p>`}
${
  shown.length === 0
    ? undefined
    : markup`<div class="exchanges">${[...new Set(shown)].map((each) =>
        each === control
          ? exchange({ label: "Control request", ...each })
          : exchange({ label: "Attack", ...each, control }),
      )}</div>`
}
${curl === "" ? undefined : markup`<h4>Reproduce</h4><pre>${linesOf(curl)}</pre>`}
</details>
`;
}

/** What the scan may have left behind, with the requests. */
export const sideEffectList = ({ sideEffects = [] }: CompletedScan): Markup | undefined =>
  sideEffects.length === 0
    ? undefined
    : markup`<h2 id="side-effects">What the scan may have left behind</h2>
<p>${SIDE_EFFECTS}</p>
${sideEffects.map(
  (each) => markup`<details><summary>${sideEffectText(each)}</summary>
<div class="exchanges">${exchange({ label: "Request", ...each })}</div>
</details>
`,
)}`;

/** Every write, those of which something remains with the command that deletes it. */
export const journalList = ({ mode, journal = [] }: CompletedScan): Markup | undefined =>
  mode !== "active"
    ? undefined
    : markup`<h2 id="journal">What the scan wrote</h2>
<p>${journalText({ mode, journal })}</p>
${journal.map(
  (each) => markup`<details><summary>${journalEntryText(each)}</summary>
<div class="exchanges">${exchange({ label: "Request", request: each.request, response: each.response ?? NO_RESPONSE })}</div>
${each.curl === undefined ? undefined : markup`<pre>${each.curl}</pre>`}
</details>
`,
)}`;

const NO_RESPONSE: Exchange["response"] = { status: 0, headers: {}, body: "" };

interface Shown extends Pick<Exchange, "request" | "response"> {
  readonly label: string;
  readonly control?: Exchange | undefined;
}

/** A request and its response, compared with the response to the control. */
function exchange({ label, request, response, control }: Shown): Markup {
  const sent = [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === undefined ? [] : ["", beginning(request.body, MAX_BODY_LENGTH)]),
  ].join("\n");
  const received = responseText(response, control?.response);
  return markup`<div><p>${label}</p><pre>${linesOf(sent)}</pre><p>Response</p><pre>${received}</pre></div>`;
}

/** Headers that differ from one response to the next, regardless of the request. */
const VARYING = /^(date|content-length|age|etag|x-request-id):/i;

/** A response; the lines that the response to the control lacks are marked. */
function responseText(response: Exchange["response"], control: Exchange["response"] | undefined): Markup[] {
  const known = new Set(control && responseLines(control));
  const isNew = (line: string): boolean =>
    control !== undefined && !known.has(line) && line.trim() !== "" && !VARYING.test(line);
  return responseLines(response).map((line) =>
    isNew(line) ? markup`<mark>${line}</mark>\n` : markup`${line}\n`,
  );
}

const responseLines = ({ status, headers, body }: Exchange["response"]): string[] => [
  `HTTP ${status}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  "",
  ...beginning(body, MAX_BODY_LENGTH).split(/\r\n|\n/),
];

function referenceList({ cwe, owasp, cvss }: References): Markup | undefined {
  const items = [
    cwe === undefined
      ? undefined
      : markup`<a href="https://cwe.mitre.org/data/definitions/${cwe}.html" rel="noreferrer">CWE-${cwe}</a>`,
    owasp === undefined ? undefined : markup`${owasp}`,
    cvss === undefined ? undefined : markup`<code>${cvss}</code>`,
  ].filter((item) => item !== undefined);
  return items.length === 0
    ? undefined
    : markup`<p class="meta">References: ${items.map((item, index) => (index === 0 ? item : markup`, ${item}`))}</p>`;
}
