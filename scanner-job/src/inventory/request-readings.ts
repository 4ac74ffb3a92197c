import { percentDecoded } from "../names.ts";
import type { ProbeRequest } from "../transport/exchange.ts";

/** One way in which a target may understand a request: any of the methods, at the path. */
export interface Reading {
  readonly methods: readonly string[];
  readonly path: string;
  /** The path is written as usual: what most servers make of the request. */
  readonly isNormal: boolean;
}

const METHOD_HEADER = /^x-(http-)?method(-override)?$/i;
const PATH_HEADER = /^x-[a-z-]*(url|uri|path)$/i;
const METHOD_PARAMETER = "_method";
/** Decodings after which a path is what it is: `%252e` is decoded twice by a proxy and the application behind it. */
const MAX_DECODINGS = 3;

/**
 * What a target may make of a request that overrides its method or its path, or spells the path in another way: it must be allowed in each
 * of these.
 */
export function readingsOf({ method, url, rawPath, headers = {} }: ProbeRequest): Reading[] {
  const { pathname, searchParams } = new URL(url);
  const named = Object.entries(headers);
  const overriding = [
    ...named.filter(([name]) => METHOD_HEADER.test(name)).map(([, value]) => value),
    ...searchParams.getAll(METHOD_PARAMETER),
  ].map((value) => value.toUpperCase());
  const sent = (rawPath ?? pathname).replace(/[?#].*$/s, "");
  const paths = [
    sent,
    ...named
      .filter(([name, value]) => PATH_HEADER.test(name) && /^(\/|https?:)/.test(value))
      .map(([, value]) => pathIn(value)),
  ];
  const methods = [...new Set([method, ...overriding])].map((each) =>
    each === "HEAD" ? ["HEAD", "GET"] : [each],
  );
  return paths.flatMap((path) => {
    const normal = normalPath(path);
    return methods.flatMap((each) => [
      { methods: each, path: normal, isNormal: true },
      ...(path === normal ? [] : [{ methods: each, path, isNormal: false }]),
    ]);
  });
}

const pathIn = (value: string): string =>
  URL.canParse(value, "http://host") ? new URL(value, "http://host").pathname : value;

/** The path without encodings, parameters of segments, doubled slashes and dot segments. @internal */
export function normalPath(path: string): string {
  let decoded = path;
  // Run by run: one that is invalid leaves the others.
  for (let times = 0; times < MAX_DECODINGS; times += 1)
    decoded = decoded.replace(/(?:%[\da-f]{2})+/gi, percentDecoded);
  const segments: string[] = [];
  for (const segment of decoded.replaceAll("\\", "/").split("/")) {
    const name = segment.replace(/;.*$/s, "");
    if (name === "..") segments.pop();
    else if (name !== "" && name !== ".") segments.push(name);
  }
  return `/${segments.join("/")}`;
}
