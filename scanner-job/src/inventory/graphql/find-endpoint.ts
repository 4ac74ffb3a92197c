import type { Calibration } from "../../oracles/not-found.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";
import type { OperationFacts } from "../operation.ts";
import { graphqlData, graphqlRequest } from "./request.ts";

interface Search {
  readonly target: URL;
  /** Operations that the target is known to have. */
  readonly known: readonly Pick<OperationFacts, "base" | "path">[];
  readonly calibration: Pick<Calibration, "looksMissing">;
}

/** The address at which the target serves GraphQL; undefined when it does at none of the common ones. */
export async function findGraphql(
  send: (request: ProbeRequest) => Promise<ProbeResponse | undefined>,
  { target, known, calibration }: Search,
): Promise<string | undefined> {
  const responds = async (url: string): Promise<boolean> => {
    const response = await send(graphqlRequest(url, "{__typename}"));
    return typeof graphqlData(response?.json)[0]?.["__typename"] === "string";
  };
  // The submitted address may be the endpoint, regardless of its name and of its response to a read.
  const submitted = target.origin + target.pathname;
  if (await responds(submitted)) return submitted;
  const others = addresses(target, known).filter((address) => address !== submitted);
  const responses = await Promise.all(others.map((url) => send(readOf(url))));
  for (const [index, url] of others.entries()) {
    const response = responses[index];
    const isThere = response && ASKS_FOR_MORE.has(response.status) && !calibration.looksMissing(response);
    if ((isThere || NAMED_GRAPHQL.test(url)) && (await responds(url))) return url;
  }
  return undefined;
}

/** Responses to a read without a query: the query is missing, the method must be POST, or a console. */
const ASKS_FOR_MORE = new Set([200, 400, 405, 415, 422, 500]);

/** What is called so is asked even where a read is not found: many servers route POST alone. */
const NAMED_GRAPHQL = /\/(graphql|gql)\/?$/i;

const COMMON = ["/graphql", "/api/graphql", "/v1/graphql", "/query", "/gql", "/graph"];

function addresses({ origin, pathname }: URL, known: Search["known"]): string[] {
  const declared = known
    .map((facts) => facts.base + facts.path)
    .filter((path) => NAMED_GRAPHQL.test(path) && !path.includes("{"));
  const base = pathname.replace(/\/+$/, "");
  const below = base === "" ? [] : [`${base}/graphql`];
  return [...new Set([...declared, ...below, ...COMMON])].slice(0, 8).map((path) => origin + path);
}
