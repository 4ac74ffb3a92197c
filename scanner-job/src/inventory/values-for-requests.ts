import { isObject, withMember } from "../json.ts";
import type { Operation, Parameter, RequestChanges } from "./operation.ts";
import { bodyPathOf } from "./serialization.ts";
import { isUserName, signInFields } from "./sign-in.ts";
import type { ValuePool } from "./value-pool.ts";

/** Values that other responses show, for what the document gives no value itself. */
export function withSeen({ facts }: Operation, pool: ValuePool, which: "required" | "all"): RequestChanges {
  const seen = (location: Parameter["in"]): [string, string][] =>
    facts.parameters.flatMap((parameter) => {
      const isWanted = parameter.required || which === "all" || /^(q|query|search)$/i.test(parameter.name);
      if (parameter.in !== location || parameter.sampleIsDeclared || !isWanted) return [];
      const value = pool.valueFor(parameter, facts.path);
      return value === undefined ? [] : [[parameter.name, value]];
    });
  const [path, query, header] = [seen("path"), seen("query"), seen("header")];
  const content = contentWith(facts, pool) ?? variablesWith(facts, seen("graphql"));
  return {
    ...(path.length > 0 ? { path: Object.fromEntries(path) } : {}),
    ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
    ...(header.length > 0
      ? { headers: Object.fromEntries(header.map(([name, value]) => [name.toLowerCase(), value])) }
      : {}),
    ...(content === undefined ? {} : { content }),
  };
}

/** A name that most systems have, where a name of a user is asked for and the document gives none. */
export function withCommonName({ facts }: Operation): RequestChanges | undefined {
  // Each attempt to sign in counts towards a lock.
  if (signInFields(facts)) return undefined;
  const named = (location: Parameter["in"]): [string, string][] =>
    facts.parameters
      .filter(
        ({ in: own, name, type, sampleIsDeclared }) =>
          own === location && type === "string" && !sampleIsDeclared && isUserName(name.split(".").at(-1)!),
      )
      .map(({ name }) => [name, "admin"]);
  const [path, query, graphql] = [named("path"), named("query"), named("graphql")];
  if (path.length + query.length + graphql.length === 0) return undefined;
  const content = variablesWith(facts, graphql);
  return {
    path: Object.fromEntries(path),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(content !== undefined && { content }),
  };
}

function contentWith({ body, path: ofOperation }: Operation["facts"], pool: ValuePool): unknown {
  if (!body || !isObject(body.sample)) return undefined;
  const values = body.fields.flatMap(({ path, name, type, format }) => {
    if (path !== name || (type !== "string" && type !== "integer" && type !== "number")) return [];
    const value = pool.valueFor({ name, type, ...(format === undefined ? {} : { format }) }, ofOperation);
    return value === undefined ? [] : [[name, type === "string" ? value : Number(value)] as const];
  });
  return values.length === 0 ? undefined : { ...body.sample, ...Object.fromEntries(values) };
}

function variablesWith({ body }: Operation["facts"], seen: readonly (readonly [string, string])[]): unknown {
  if (seen.length === 0) return undefined;
  return seen.reduce(
    (content, [name, value]) => withMember(content, bodyPathOf({ in: "graphql", name }), value),
    body?.sample,
  );
}
