import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { plainSql } from "@glovebox/store/testing";
import { getJson, kubectl } from "./kubectl.ts";

/** Texts by the name of where they are. */
export type Texts = Readonly<Record<string, string>>;

/** The forms in which a secret may appear: as it is, escaped in JSON, URL-encoded, in hexadecimal, and in base64 at any offset. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const base64 = [0, 1, 2].map((offset) => base64At(secret, offset));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.toLowerCase(),
    new URLSearchParams({ s: secret }).toString().slice(2),
    Buffer.from(secret).toString("hex"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The characters that are the same whatever is before and behind the secret. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), whole);
}

/** Where a form of the secret appears. */
export function findSecret(secret: string, texts: Texts): string[] {
  const forms = formsOf(secret);
  return Object.entries(texts).flatMap(([name, content]) =>
    forms.some((form) => content.includes(form)) ? [name] : [],
  );
}

/**
 * All that etcd has now, by key. GLOVEBOX_CLUSTER_ETCD is the command that posts to `/v3/kv/range` of its JSON API, to which
 * `--data JSON` is added as for curl.
 */
export async function etcdEntries(command: string): Promise<Texts> {
  const everything = JSON.stringify({ key: "AA==", range_end: "AA==" });
  const [program, ...args] = [...command.split(" "), "--data", everything];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const { kvs } = JSON.parse(await text(child.stdout)) as { kvs: { key: string; value: string }[] };
  return Object.fromEntries(
    kvs.map(({ key, value }) => [
      Buffer.from(key, "base64").toString(),
      Buffer.from(value, "base64").toString("latin1"),
    ]),
  );
}

/** All objects of the kinds that the API server lists, in a namespace. */
export async function objectsIn(namespace: string): Promise<Texts> {
  const kinds = (await kubectl(["api-resources", "--namespaced", "--verbs=list", "-o", "name"])).split("\n");
  const listed = await Promise.all(
    kinds.filter(Boolean).map((kind) => getJson<{ items: ListedObject[] }>(kind, "-n", namespace)),
  );
  return Object.fromEntries(
    listed.flatMap(({ items }) =>
      items.map((item) => [`${item.kind} ${item.metadata.name}`, JSON.stringify(item)]),
    ),
  );
}

interface ListedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The rows of all tables, by table. */
export async function databaseRows(url: string): Promise<Texts> {
  const sql = plainSql(url);
  try {
    const tables = await sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema')`;
    const rows = await Promise.all(
      tables.map(async ({ name }) => {
        const found = await sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
        return [name, found.map(({ row }) => row).join("\n")] as const;
      }),
    );
    return Object.fromEntries(rows);
  } finally {
    await sql.end();
  }
}
