import { listMember, member, objectMember, textMember, textsMember, type JsonObject } from "../../json.ts";
import type { DocumentSource } from "../api-document.ts";
import type { SpecReader } from "./reader.ts";

/** Its origin is an address of the document, or any other text when it has none. */
type Source = Pick<DocumentSource, "origin" | "targetUrl">;

/** The absolute addresses of the servers: of the operation, else of its path, else of the document. */
export function serversOf(reader: SpecReader, owners: readonly JsonObject[], source: Source): string[] {
  if (reader.version === "2.0") return serversOf2(reader, source);
  const owner = [...owners, reader.root].find((candidate) => listMember(candidate, "servers").length > 0);
  return listMember(owner, "servers", 50)
    .map((server) => absolute(withVariables(server), source))
    .filter((url) => url !== undefined);
}

/**
 * Paths below which the operations may be, the likeliest first: of all servers, with every value that a
 * variable may have, and the folder that the document itself is in.
 */
export function possibleBases(reader: SpecReader, source: Source): string[] {
  const servers =
    reader.version === "2.0"
      ? []
      : listMember(reader.root, "servers", 50).flatMap((server) => withEveryValue(server));
  const urls = [
    ...serversOf(reader, [], source),
    ...servers.map((url) => absolute(url, source)),
    absolute(".", source),
  ];
  return [...new Set(urls.filter((url) => url !== undefined).map(pathOf))].slice(0, MAX_BASES);
}

const MAX_BASES = 20;

/**
 * The path below which the target serves the operations, and whether a server of the document is the target.
 * The scan never leaves the target's origin: where no server matches, the first one's path is tried there.
 */
export function baseOf(servers: readonly string[], targetUrl: string): { base: string; matches: boolean } {
  const target = new URL(targetUrl);
  const here = servers.filter((server) => new URL(server).host === target.host);
  const bases = (here.length > 0 ? here : servers.slice(0, 1)).map(pathOf);
  const around = bases.filter((base) => isBelow(base, pathOf(targetUrl)));
  const base = around.toSorted((a, b) => b.length - a.length)[0] ?? bases[0] ?? "";
  if (here.length > 0 || servers.length === 0) return { base, matches: true };
  // A gateway may have put a prefix before the path that the document knows.
  return { base: base !== "" && pathOf(targetUrl).endsWith(base) ? pathOf(targetUrl) : base, matches: false };
}

const isBelow = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`);

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, "");
}

const withVariables = (server: unknown): string => filled(server, (variable) => valuesOf(variable)[0]);

/** The address once for each value of each variable, the other variables by their defaults. */
function withEveryValue(server: unknown): string[] {
  const variables = Object.entries(objectMember(server, "variables")).slice(0, 10);
  return variables.flatMap(([, changed]) =>
    valuesOf(changed).map((value) =>
      filled(server, (variable) => (variable === changed ? value : valuesOf(variable)[0])),
    ),
  );
}

function filled(server: unknown, valueOf: (variable: unknown) => string | undefined): string {
  const variables = objectMember(server, "variables");
  return (textMember(server, "url", 2_000) ?? "/").replace(
    /\{([^{}]+)\}/g,
    (_, name: string) => valueOf(member(variables, name)) ?? "",
  );
}

/** The default first. */
const valuesOf = (variable: unknown): string[] =>
  [member(variable, "default"), ...listMember(variable, "enum", 10)]
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => String(value).slice(0, 200));

function serversOf2({ root }: SpecReader, source: Source): string[] {
  const own = new URL(absolute("/", source) ?? source.targetUrl);
  const host = textMember(root, "host") ?? own.host;
  const schemes = textsMember(root, "schemes", 4).filter((scheme) => /^https?$/.test(scheme));
  const path = `/${(textMember(root, "basePath", 1_000) ?? "").replace(/^\/+/, "")}`;
  return (schemes.length > 0 ? schemes : [own.protocol.slice(0, -1)])
    .map((scheme) => absolute(`${scheme}://${host}${path}`, source))
    .filter((url) => url !== undefined);
}

function absolute(url: string, { origin, targetUrl }: Source): string | undefined {
  const from = /^https?:\/\//i.test(origin) && URL.canParse(origin) ? origin : targetUrl;
  const written = asWritten(url);
  const parsed = URL.canParse(written, from) ? new URL(written, from) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

/** What people write in source of an address: nothing for the root, a host without its scheme, a host left open. */
function asWritten(url: string): string {
  const text = url.trim();
  if (text === "") return "/";
  const afterOpenHost = /^\w*:?\/\/(?=\/|$)(.*)$/s.exec(text)?.[1];
  if (afterOpenHost !== undefined) return afterOpenHost || "/";
  return /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/i.test(text) && !/\.(json|ya?ml)$/i.test(text)
    ? `http://${text}`
    : text;
}
