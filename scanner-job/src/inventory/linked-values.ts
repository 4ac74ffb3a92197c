import { isSuccess } from "../oracles/classify.ts";
import { responseOrNothing } from "../transport/network-error.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { atPointer } from "../json.ts";
import type { IdPool } from "./id-pool.ts";
import type { Link, Operation, RequestChanges } from "./operation.ts";
import { asText } from "./serialization.ts";

/** Values for an operation from the response of one that the document links to it; undefined without such a response. */
export async function linkedValues(
  deps: {
    readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
    readonly operations: readonly Operation[];
    readonly idPool: Pick<IdPool, "samplesFor">;
  },
  operation: Operation,
): Promise<RequestChanges | undefined> {
  for (const producer of deps.operations) {
    if (!producer.isRead || producer === operation) continue;
    for (const link of (producer.facts.links ?? []).filter((each) => leadsTo(each, operation))) {
      const path = await deps.idPool.samplesFor(producer);
      const response = await responseOrNothing(deps.send, producer.request({ path }));
      const changes = response && isSuccess(response) && changesBy(link, operation, { response, path });
      if (changes) return changes;
    }
  }
  return undefined;
}

const leadsTo = ({ to }: Link, { facts }: Operation): boolean =>
  to === facts.operationId || to === `${facts.method} ${facts.path}`;

interface Source {
  readonly response: ProbeResponse;
  readonly path: Readonly<Record<string, string>>;
}

function changesBy({ parameters }: Link, { facts }: Operation, source: Source): RequestChanges | undefined {
  const values = Object.entries(parameters).flatMap(([key, expression]) => {
    const [, location, name = key] = /^(path|query|header)\.(.+)$/.exec(key) ?? [];
    const parameter = facts.parameters.find(
      (each) => each.name === name && (location === undefined || each.in === location),
    );
    const value = valueOf(expression, source);
    return parameter && value !== undefined ? [{ name, in: parameter.in, value }] : [];
  });
  if (values.length === 0) return undefined;
  const of = (location: string) =>
    Object.fromEntries(values.filter((each) => each.in === location).map(({ name, value }) => [name, value]));
  return { path: of("path"), query: of("query"), headers: of("header") };
}

/** A runtime expression (OpenAPI 3.1, 4.8.20.3), as far as a response or the path of its request can give it. */
function valueOf(expression: string, { response, path }: Source): string | undefined {
  if (!expression.startsWith("$")) return expression;
  const pointer = /^\$response\.body#?(\/.*)?$/.exec(expression);
  if (pointer) {
    const found = atPointer(response.json, pointer[1] ?? "");
    return found === undefined || found === null || typeof found === "object" ? undefined : asText(found);
  }
  const [, header] = /^\$response\.header\.(.+)$/.exec(expression) ?? [];
  if (header !== undefined) return response.headers[header.toLowerCase()];
  const [, segment] = /^\$request\.path\.(.+)$/.exec(expression) ?? [];
  return segment === undefined ? undefined : path[segment];
}
