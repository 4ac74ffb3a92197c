import { identitySchema, type IdentityInput } from "@glovebox/contract";
import { Callers } from "../identities/callers.ts";
import { ProbeResponse, type ProbeRequest } from "../transport/exchange.ts";

export type Api = (request: ProbeRequest) => {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
};

/** Callers of an API that is a function, and what it was sent. */
export function callersOf(api: Api, ...identities: Omit<IdentityInput, "name">[]) {
  const sent: ProbeRequest[] = [];
  let clock = 0;
  const transmit = async (request: ProbeRequest): Promise<ProbeResponse> => {
    sent.push(request);
    const { status = 200, headers = {}, body = {} } = api(request);
    return new ProbeResponse({
      request,
      status,
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  };
  const callers = new Callers(
    identities.map((identity, at) => identitySchema.parse({ name: ["alice", "bob"][at]!, ...identity })),
    { target: new URL("https://api.example/v1"), now: () => clock },
  );
  const get = (path: string, as?: string) =>
    callers.exchange(
      { method: "GET", url: `https://api.example${path}`, ...(as !== undefined && { as }) },
      transmit,
    );
  return { callers, sent, get, transmit, wait: (seconds: number) => void (clock += seconds * 1_000) };
}

export const bearer = ({ headers = {} }: ProbeRequest): string | undefined => headers["authorization"];
export const pathOf = ({ method, url }: ProbeRequest): string => `${method} ${new URL(url).pathname}`;
export const login = {
  operation: "POST /session",
  body: { email: "alice@example.com", password: "alice-secret" },
};
