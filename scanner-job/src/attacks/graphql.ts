import { isObject } from "../json.ts";
import { readOf, type ProbeRequest, type Reply } from "../transport/exchange.ts";
import type { Probe } from "../engine/probe.ts";

/** A GraphQL request with one operation, or several in one batch. Queries only. */
export const graphqlRequest = (url: string, queries: string | readonly string[]): ProbeRequest => ({
  method: "POST",
  url,
  headers: { accept: "application/json", "content-type": "application/json" },
  body: JSON.stringify(
    typeof queries === "string" ? { query: queries } : queries.map((query) => ({ query })),
  ),
  harmlessBecause: "a GraphQL query reads; it is no mutation",
});

/** The `data` of each operation of an answer; nothing where it was refused. */
export function graphqlData(json: unknown): Record<string, unknown>[] {
  const results = Array.isArray(json) ? json.slice(0, 100) : [json];
  return results.flatMap((result) => {
    const data: unknown = isObject(result) ? result["data"] : undefined;
    return isObject(data) ? [data] : [];
  });
}

/** The address at which the target answers GraphQL; undefined when it does at none of the usual ones. */
export async function graphqlAddress(probe: Probe): Promise<string | undefined> {
  for (const url of addressesOf(probe)) {
    const look = await probe.baseline(readOf(url));
    if (!mayBeGraphql(look, probe)) continue;
    const { json } = await probe.baseline(graphqlRequest(url, "{__typename}"));
    if (typeof graphqlData(json)[0]?.["__typename"] === "string") return url;
  }
  return undefined;
}

function addressesOf({ profile }: Probe): Set<string> {
  const { origin, pathname } = profile.target;
  const declared = profile.operations
    .map(({ location }) => location.path)
    .filter((path) => /\/(graphql|gql)\/?$/i.test(path) && !path.includes("{"));
  const base = pathname.replace(/\/+$/, "");
  const submitted = /\/(graphql|gql)$/i.test(base) ? [base] : [];
  const usual = ["/graphql", ...(base === "" ? [] : [`${base}/graphql`]), "/api/graphql"];
  return new Set([...submitted, ...declared, ...usual].slice(0, 5).map((path) => origin + path));
}

/** A read without a query is told that it lacks one, or that it should have been a POST, or gets a console. */
const mayBeGraphql = (reply: Reply, { profile }: Probe): boolean =>
  [200, 400, 405, 415, 422, 500].includes(reply.status) && !profile.calibration.looksMissing(reply);
