import { Readable } from "node:stream";
import { parseEgressAllow } from "@glovebox/egress";
import { KubeError } from "@glovebox/kube";
import { pino } from "pino";
import { expect, test } from "vitest";
import { clusterEgressPolicy } from "./cluster-egress-policy.ts";

const connection = { server: new URL("https://10.96.0.1") };
const sliceOf = (...addresses: string[]) => ({ endpoints: [{ addresses }] });

/** The policy over an API server that responds with this, with what is logged. */
function policyOver(respond: () => Promise<unknown>) {
  const logged: string[] = [];
  const live = clusterEgressPolicy({
    allow: parseEgressAllow("10.0.0.0/8"),
    transport: async () => Readable.from([Buffer.from(JSON.stringify(await respond()))]),
    connection,
    logger: pino({}, { write: (line) => void logged.push(line) }),
  });
  return { live, logged };
}

test("API servers are refused once they were read, though their range is allowed, and others are not", async () => {
  const { live } = policyOver(async () => sliceOf("10.0.0.2", "8.8.8.8"));
  expect(live.policy.judge("10.0.0.2", 443)).toEqual({ allowed: true });
  await live.start();
  live.stop();
  for (const address of ["10.0.0.2", "10.96.0.1", "8.8.8.8"])
    expect(live.policy.judge(address, 443).allowed).toBe(false);
  expect(live.policy.judge("10.0.0.3", 443)).toEqual({ allowed: true });
});

test("where they may not be read, the policy does without, and the right that is missing is logged", async () => {
  const { live, logged } = policyOver(() =>
    Promise.reject(new KubeError("GET /apis/discovery.k8s.io/v1", { code: 403, reason: "Forbidden" })),
  );
  await live.start();
  live.stop();
  expect(live.policy.judge("8.8.8.8", 443)).toEqual({ allowed: true });
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatch(/403.*get endpointslices\.discovery\.k8s\.io named kubernetes in default/);
});
