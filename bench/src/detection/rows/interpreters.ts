import { setTimeout as after } from "node:timers/promises";
import type { FakeResponse } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byQuery, reading, type Row } from "../row.ts";

const product = (_: string, a: string, b: string): string => String(Number(a) * Number(b));
const xml = (body: string): FakeResponse => ({ headers: { "content-type": "application/xml" }, body });
const sculptures = [{ name: "The reader" }];

/** The result of `this.kind == 'VALUE'` for the one sculpture of stone. */
function isOfStone(value: string): boolean {
  const [, kind, operator, left, right] = /^(\w+)'(&&|\|\|)'(\d+)'=='(\d+)$/.exec(value) ?? [];
  if (operator === undefined) return value === "stone";
  return operator === "&&" ? kind === "stone" && left === right : kind === "stone" || left === right;
}

/** Waits as long as the text asks a database, or a shell, to. */
async function waiting(text: string, command: RegExp): Promise<void> {
  await after(1_000 * Math.min(3, Number(command.exec(text)?.[1] ?? 0)));
}

/** Values that become a part of a document, of code or of a statement. */
export const interpreterRows: readonly Row[] = [
  {
    checks: ["input-validation/xml-injection"],
    at: "GET /signs",
    document: { "/signs": reading("text", { required: true, example: "Quiet" }) },
    weak: { "GET /signs": byQuery("text", (text) => xml(`<sign size="2">${text}</sign>`)) },
    safe: { "GET /signs": byQuery("text", (text) => xml(`<sign>${text.replaceAll("<", "&lt;")}</sign>`)) },
  },
  {
    checks: ["input-validation/code-injection"],
    at: "GET /fees",
    document: { "/fees": reading("rule", { required: true, example: "weekly" }) },
    weak: {
      "GET /fees": byQuery("rule", (rule) => ({
        json: { fee: rule.replace(/^\[(\d+)\*(\d+)\]\.join\(\)$/, product) },
      })),
    },
    safe: { "GET /fees": byQuery("rule", (rule) => ({ json: { fee: rule } })) },
  },
  {
    checks: ["input-validation/nosql-javascript"],
    at: "GET /sculptures",
    document: { "/sculptures": reading("kind", { example: "stone" }) },
    weak: { "GET /sculptures": byQuery("kind", (kind) => ({ json: isOfStone(kind) ? sculptures : [] })) },
    safe: {
      "GET /sculptures": byQuery("kind", (kind) => ({ json: kind === "stone" ? sculptures : [] })),
    },
  },
  {
    checks: ["input-validation/sql-statement"],
    at: "GET /counts",
    document: {
      "/counts": reading("query", { required: true, example: "select count(*) as count from books" }),
    },
    weak: {
      "GET /counts": byQuery("query", (query) => {
        const [, a, b] = /^select cast\((\d+)\*(\d+) as char\(12\)\) as count$/.exec(query) ?? [];
        return { json: { count: a === undefined ? 4 : Number(a) * Number(b) } };
      }),
    },
    safe: { "GET /counts": byQuery("query", (query) => ({ json: { searched: query, count: 0 } })) },
  },
  {
    checks: ["input-validation/sql-time"],
    at: "GET /atlases",
    document: { "/atlases": reading("region", { required: true, example: "north" }) },
    weak: {
      "GET /atlases": async ({ query }) => {
        await waiting(query.get("region") ?? "", /PG_SLEEP\(([\d.]+)\)/i);
        return { json: { atlases: 2 } };
      },
    },
    safe: { "GET /atlases": { json: { atlases: 2 } } },
  },
  {
    checks: ["input-validation/command-time"],
    at: "GET /scans",
    document: { "/scans": reading("host", { required: true, example: "printer" }) },
    weak: {
      "GET /scans": async ({ query }) => {
        await waiting(query.get("host") ?? "", /(?:[;\n|&]|\$\()\s*sleep ([\d.]+)/);
        return { json: { queued: true } };
      },
    },
    safe: { "GET /scans": { json: { queued: true } } },
  },
];
