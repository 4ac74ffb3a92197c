import { LIGHT_TOKENS } from "../design/tokens.ts";

/** The one style block of a report; its hash is in the page's policy. */
export const STYLE = `
${LIGHT_TOKENS}
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; color: var(--text); background: var(--surface); font: 16px/1.55 var(--font); }
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 3rem; padding-bottom: 1.5rem; }
.kind { margin: 0; color: var(--muted); font-size: .875rem; letter-spacing: .06em; text-transform: uppercase; }
h1 { margin: .25rem 0 .5rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 2px solid var(--line); font-size: 1.35rem; }
h3 { margin: 0; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 .35rem; font-size: .8rem; color: var(--muted); letter-spacing: .04em; text-transform: uppercase; }
p { margin: .5rem 0; }
a { color: var(--accent); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.25rem; margin: 0; font-size: .9rem; }
dl.facts dt { color: var(--muted); } dl.facts dd { margin: 0; }
.result { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 1.5rem 0; }
.result div { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--page); }
.result b { display: block; font-size: 2rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.result span { color: var(--muted); font-size: .85rem; }
table { width: 100%; border-collapse: collapse; font-size: .925rem; }
th { text-align: left; color: var(--muted); font-size: .8rem; font-weight: 600; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg.bar { display: block; width: 8rem; height: .7rem; margin-top: .4rem; }
svg.bar rect.all { fill: var(--line); }
.good { color: var(--good); fill: var(--good); } .fair { color: var(--medium); fill: var(--medium); } .poor { color: var(--high); fill: var(--high); }
.none { color: var(--muted); }
.severity { display: inline-block; min-width: 4.6rem; padding: .1rem .5rem; border-radius: .25rem; color: var(--on-accent); font-size: .78rem; font-weight: 600;
  text-align: center; text-transform: capitalize; }
.critical { background: var(--critical); } .high { background: var(--high); } .medium { background: var(--medium); }
.low { background: var(--low); } .info { background: var(--info); }
article { margin: 1.25rem 0; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: .5rem; break-inside: auto; }
article > .title { display: flex; flex-wrap: wrap; gap: .75rem; align-items: baseline; }
.meta { color: var(--muted); font-size: .85rem; }
ul.locations { margin: .25rem 0; padding-left: 1.1rem; }
code, pre { font: .82rem/1.5 var(--font-code); }
pre { margin: 0; padding: .75rem 1rem; overflow: auto; max-height: 28rem; border: 1px solid var(--line); border-radius: .35rem; background: var(--page);
  white-space: pre-wrap; }
mark { background: var(--medium-soft); color: inherit; }
.exchanges { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem; margin-top: .5rem; }
.exchanges p { margin: .5rem 0 .3rem; font-size: .85rem; color: var(--muted); }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--accent); font-size: .9rem; }
.decided { border-left: .3rem solid var(--line); background: var(--page); }
footer { margin-top: 3rem; padding-top: 1rem; padding-bottom: 3rem; color: var(--muted); font-size: .85rem; }
@media (max-width: 40rem) { main, header, footer { padding-left: 1rem; padding-right: 1rem; } article { padding: 1rem; } svg.bar { display: none; }
  td.number { white-space: normal; } th, td { padding-right: .4rem; } .severity { min-width: 0; } }
@page { margin: 18mm 15mm; }
@media print { body { font-size: 10.5pt; } pre { max-height: none; } h2 { break-after: avoid; } article > .title { break-after: avoid; }
  header { padding-top: 0; } details::details-content { content-visibility: visible; display: block; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
