import type { CompletedScan } from "@glovebox/contract";
import { callersIn } from "@glovebox/domain";
import { ACCESS_TEXT, violationText } from "../access-grid.ts";
import { markup, type Markup } from "../markup.ts";

/** What each caller got from each operation; undefined in a scan without identities. */
export function accessGrid({ accessByCaller = [] }: CompletedScan): Markup | undefined {
  if (accessByCaller.length === 0) return undefined;
  const callers = callersIn(accessByCaller);
  return markup`<h2 id="access">Access by caller</h2>
<table>
<thead><tr><th>Operation</th>${callers.map((caller) => markup`<th>${caller}</th>`)}<th>Violations</th></tr></thead>
<tbody>
${accessByCaller.map(
  (row) => markup`<tr><td><code>${row.method} ${row.path}</code></td>${callers.map(
    (caller) => markup`<td>${ACCESS_TEXT[row.access[caller] ?? "notCalled"]}</td>`,
  )}<td>${violationText(row)}</td></tr>
`,
)}</tbody>
</table>`;
}
