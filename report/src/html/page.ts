import { createHash } from "node:crypto";
import {
  CATEGORIES,
  CATEGORY_KEYS,
  type Category,
  type CompletedScan,
  type Finding,
} from "@glovebox/contract";
import { categoryTitles, partsOf, placesOf, severitiesText, type Part } from "../findings.ts";
import type { Marked } from "../formats.ts";
import { Markup, markup } from "../markup.ts";
import { counted } from "../text.ts";
import { findingArticle, sideEffectList } from "./finding.ts";
import { STYLE } from "./style.ts";

/** The policy of a page: its own style block, and nothing else that runs or is loaded. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** One HTML file for people: no script, nothing loaded. */
export function toHtml(scan: CompletedScan, { marks }: Marked): string {
  const parts = partsOf(scan.findings, marks);
  const open = parts.flatMap(({ finding, mark }) => (mark ? [] : [finding]));
  const dismissed = parts.filter(({ mark }) => mark);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Security scan of ${scan.url}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${header(scan, open)}
<main>
${result(scan, open)}
${contents(open)}
${categories(scan)}
${section(
  "Findings",
  "findings",
  open.map((finding) => findingArticle({ finding })),
)}
${section(
  "Accepted and false positives",
  "decided",
  dismissed.map((part: Part) => findingArticle(part)),
)}
${sideEffectList(scan)}
${scoring(scan)}
${untested(scan)}
${notes(scan)}
${isolation(scan)}
</main>
<footer>Made by Glovebox${scan.scannerVersion === undefined ? "" : ` ${scan.scannerVersion}`}. Each finding was seen at least twice, or read in the API's document. Requests are shown with
secrets masked; the report in JSON has all of them.</footer>
</body>
</html>
`;
  return page.text;
}

const header = ({ url, id, createdAt, completedAt, statistics }: CompletedScan, open: readonly Finding[]) =>
  markup`<header>
<p class="kind">API security scan</p>
<h1>${url}</h1>
<dl class="facts">
<dt>Completed</dt><dd>${completedAt.slice(0, 16).replace("T", " ")} UTC</dd>
<dt>Started</dt><dd>${createdAt.slice(0, 16).replace("T", " ")} UTC</dd>
<dt>Extent</dt><dd>${counted(statistics.operations, "operation")}, ${counted(statistics.requests, "request")} in ${(statistics.durationMs / 1000).toFixed(0)} s</dd>
<dt>Findings</dt><dd>${open.length === 0 ? "none open" : severitiesText(open)}</dd>
<dt>Scan</dt><dd><code>${id}</code></dd>
</dl>
</header>`;

const shareText = (share: number): string => `${Math.floor(share * 100)} %`;
const rating = (score: number): string => (score >= 80 ? "good" : score >= 60 ? "fair" : "poor");

const result = ({ score, grade, coverage, summary }: CompletedScan, open: readonly Finding[]) => markup`
<section class="result" aria-label="Result">
<div><b class="${rating(score)}">${grade}</b><span>grade</span></div>
<div><b>${score}</b><span>score of 100</span></div>
<div><b>${open.length}</b><span>open findings</span></div>
<div><b>${coverage.overall === undefined ? "–" : shareText(coverage.overall)}</b><span>of what applies was tested</span></div>
</section>
${summary === undefined ? undefined : markup`<p>${summary}</p>`}`;

function contents(open: readonly Finding[]): Markup | undefined {
  if (open.length === 0) return undefined;
  const rows = open.map(
    (finding) =>
      markup`<tr><td><span class="severity ${finding.severity}">${finding.severity}</span></td><td><a href="#${finding.id}">${finding.title}</a></td><td>${categoryTitles(finding)}</td><td class="number">${counted(placesOf(finding).length, "place")}</td></tr>\n`,
  );
  return markup`<h2>What was found</h2>
<table><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Category</th><th scope="col">Seen at</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

const categories = (scan: CompletedScan): Markup => markup`<h2>Categories</h2>
<table><thead><tr><th scope="col">Category</th><th scope="col">Score</th><th scope="col"></th><th scope="col">Result</th></tr></thead>
<tbody>${CATEGORY_KEYS.map((key) => categoryRow(key, scan))}</tbody></table>`;

function categoryRow(key: Category, scan: CompletedScan): Markup {
  const { score, findings, assessed, reason = "" } = scan.categories[key];
  const { title, owasp } = CATEGORIES[key];
  const name = markup`<td>${title} <span class="meta">${owasp}</span></td>`;
  if (assessed === false)
    return markup`<tr>${name}<td class="number none">–</td><td></td><td class="none">Not assessed. ${reason}</td></tr>\n`;
  return markup`<tr>${name}<td class="number">${score}</td><td><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"/><rect class="${rating(score)}" width="${score}" height="8"/></svg></td><td>${severitiesText(findings) || "No findings"}</td></tr>\n`;
}

const section = (title: string, id: string, articles: readonly Markup[]): Markup | undefined =>
  articles.length === 0 ? undefined : markup`<h2 id="${id}">${title}</h2>\n${articles}`;

function scoring({
  score,
  scoring: { weightedMean, deductions, limits = [] },
  findings,
}: CompletedScan): Markup {
  const titles = new Map(findings.map(({ id, title }) => [id, title]));
  const rows = deductions.map(
    ({ category, finding, severity, confidence, points }) =>
      markup`<tr><td>${CATEGORIES[category].title}</td><td>${titles.get(finding) ?? finding}</td><td>${severity}, ${confidence}</td><td class="number">−${points.toFixed(1)}</td></tr>\n`,
  );
  const caps = limits.map(
    ({ reason, points, deducted }) =>
      markup`<tr><td>Overall</td><td>${reason}</td><td>${points} at most</td><td class="number">−${deducted.toFixed(1)}</td></tr>\n`,
  );
  return markup`<h2>How the score is made</h2>
<p>Each category begins at 100. The weighted mean of the assessed categories is ${weightedMean.toFixed(1)}; the score is ${score}. All findings count,
accepted ones included.</p>
${
  rows.length + caps.length === 0
    ? undefined
    : markup`<table><thead><tr><th scope="col">Where</th><th scope="col">Why</th><th scope="col">Rating</th><th scope="col">Points</th></tr></thead><tbody>${rows}${caps}</tbody></table>`
}`;
}

/** Checks that came to no result somewhere: what a reader must not take for a pass. */
function untested({ checks }: CompletedScan): Markup | undefined {
  const open = checks.filter(({ inconclusive }) => inconclusive > 0);
  if (open.length === 0) return undefined;
  const rows = open.map(
    ({ check, passed, failed, inconclusive, reasons }) =>
      markup`<tr><td><code>${check}</code></td><td class="number">${inconclusive} of ${inconclusive + passed + failed}</td><td>${reasons.join(" ")}</td></tr>\n`,
  );
  return markup`<h2>What was not assessed</h2>
<table><thead><tr><th scope="col">Check</th><th scope="col">Places</th><th scope="col">Why</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const notes = ({ notes: all }: CompletedScan): Markup | undefined =>
  all.length === 0
    ? undefined
    : markup`<h2>Notes</h2>\n<ul>${all.map((note) => markup`<li>${note}</li>\n`)}</ul>`;

const isolation = ({ isolation: proof }: CompletedScan): Markup | undefined =>
  proof &&
  markup`<h2>Isolation</h2>
<p>The scanner was sealed: at ${proof.provenAt} it could not reach ${proof.canary.address}:${proof.canary.port}, which any other pod can, while the
target answered (${counted(proof.attempts, "observation")}).</p>`;
