import type { Route } from "./route.ts";

export interface Match<R = Route> {
  route: R;
  params: Record<string, string>;
}

/** The routes of a path for all methods. A literal path has precedence over one with parameters. */
export function routesAt<R extends { path: string }>(routes: readonly R[], path: string): Match<R>[] {
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const literal = matches.filter(({ route }) => route.path === path);
  return literal.length > 0 ? literal : matches;
}

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split("/");
  const actual = path.split("/");
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = actual[index]!;
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === "") return undefined;
    if (name !== undefined) params[name] = decoded(value);
  }
  return params;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
