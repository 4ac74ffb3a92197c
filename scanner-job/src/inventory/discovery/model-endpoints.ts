import type { Calibration } from "../../oracles/not-found.ts";
import { rejectsInput } from "../../oracles/classify.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { MALFORMED, ACCEPT_JSON, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";
import { responseOrNothing } from "../../transport/network-error.ts";
import { discoveredOperation, type BodyShape, type OperationFacts } from "../operation.ts";
import { promptShape, type PromptShape } from "../prompt-shape.ts";

/** Below the root and below the base path. */
const PATHS = [
  "/v1/chat/completions",
  "/chat/completions",
  "/v1/messages",
  "/api/chat",
  "/api/generate",
  "/generate",
  "/api/assistant",
  "/api/ai/chat",
];

/**
 * Endpoints of language models at the common addresses, where no known operation is one: an empty list is refused there
 * (400, 422) or credentials are asked for, and at a path that does not exist neither happens.
 */
export async function findModelEndpoints(
  {
    send,
    target,
    calibration,
  }: {
    readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
    readonly target: URL;
    readonly calibration: Calibration;
  },
  known: readonly OperationFacts[],
): Promise<OperationFacts[]> {
  if (known.some((facts) => promptShape({ facts }))) return [];
  const base = target.pathname.replace(/\/+$/, "");
  const paths = new Set([...PATHS, ...PATHS.map((path) => base + path.replace(/^\/(v1|api)(?=\/)/, ""))]);
  const emptyListTo = (path: string): ProbeRequest => ({
    method: "POST",
    url: target.origin + path,
    headers: { accept: ACCEPT_JSON, "content-type": "application/json" },
    body: "[]",
    form: MALFORMED,
  });
  const missing = await responseOrNothing(send, emptyListTo(`/${calibration.nonce}/completions`));
  if (!missing || (isGuarding(missing) && missing.status >= 400)) return [];
  const isThere = async (path: string): Promise<boolean> => {
    const response = await responseOrNothing(send, emptyListTo(path));
    return (
      response !== undefined &&
      isGuarding(response) &&
      !calibration.looksMissing(response) &&
      !areSimilar(response, missing)
    );
  };
  const found = await Promise.all(
    [...paths].map(async (path) => ((await isThere(path)) ? [factsOf(path)] : [])),
  );
  return found.flat();
}

const isGuarding = (response: ProbeResponse): boolean =>
  rejectsInput(response) || [401, 403].includes(response.status);

function factsOf(path: string): OperationFacts {
  const facts = discoveredOperation({ method: "POST", path });
  const shape = promptShape({ facts });
  return shape ? { ...facts, body: bodyOf(shape) } : facts;
}

const bodyOf = ({ field, takes, limit, rest }: PromptShape): BodyShape => ({
  mediaType: "application/json",
  required: true,
  sample: {
    ...rest,
    [field]: takes === "messages" ? [{ role: "user", content: "Hello" }] : "Hello",
    ...(limit === undefined ? {} : { [limit]: 60 }),
  },
  fields: [...Object.keys(rest), field, ...(limit === undefined ? [] : [limit])].map((name) => ({
    path: name,
    name,
    type: "string",
    readOnly: false,
    required: name !== limit,
  })),
  closed: false,
});
