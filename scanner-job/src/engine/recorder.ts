import { randomInt } from "node:crypto";
import type { IdPool } from "../inventory/id-pool.ts";
import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import type { Transport } from "../transport/transport.ts";
import { handshakeReply } from "./handshake-evidence.ts";
import { notFoundControl } from "./not-found-control.ts";
import type { Probe, Recorded, RecordedProbe } from "./probe.ts";
import type { TargetProfile } from "./target-profile.ts";

/** Requests of one burst at most. */
export const MAX_BURST = 30;

export interface RecorderDeps {
  readonly profile: TargetProfile;
  readonly transport: Transport;
  readonly idPool: IdPool;
}

/** A probe for one look of one check at one subject. The second look shares no answer with the first. */
export function createProbe({ profile, transport, idPool }: RecorderDeps, pass: 1 | 2): RecordedProbe {
  const exchanges: Recorded[] = [];
  const record = (role: Recorded["role"], reply: Reply): Reply => {
    exchanges.push({ role, request: reply.request, reply });
    return reply;
  };
  const sendAs = (role: Recorded["role"]) => async (request: ProbeRequest) =>
    record(role, await transport.send(request, { pass }));
  const control = sendAs("control");

  const probe: Probe = {
    profile,
    attack: sendAs("attack"),
    control,
    baseline: sendAs("baseline"),
    again: async (request) => record("control", await transport.send(request, { pass, share: false })),
    missing: (request) => control(notFoundControl(request, profile)),
    async burst(request, times, enough) {
      const replies: Reply[] = [];
      while (replies.length < Math.min(times, MAX_BURST)) {
        const reply = await transport.send(request(), { pass, share: false });
        replies.push(reply);
        if (enough(reply)) break;
      }
      record("attack", replies.at(-1)!);
      return replies;
    },
    async handshake(offer) {
      const made = await transport.handshake(profile.target, offer, { pass });
      record("attack", handshakeReply(profile.target, offer ?? {}, made));
      return made;
    },
    ...addressing(idPool),
    get throttled() {
      return transport.throttled;
    },
    nonce: newNonce,
  };
  return { probe, exchanges };
}

/** How a check names the objects that it asks for. */
function addressing(idPool: IdPool): Pick<Probe, "idsFor" | "withRealIds" | "withId" | "withNoObject"> {
  const withRealIds: Probe["withRealIds"] = async (operation) =>
    operation.request({ path: await idPool.samplesFor(operation) });
  const withId: Probe["withId"] = async (operation, id) => {
    const path = await idPool.samplesFor(operation);
    return operation.request({ path: { ...path, [operation.idParameter?.name ?? ""]: id } });
  };
  return {
    idsFor: (operation) => idPool.idsFor(operation),
    withRealIds,
    withId,
    async withNoObject(operation, which = "usual") {
      const id = await idPool.impossibleIdFor(operation, which);
      return id === undefined ? withRealIds(operation) : withId(operation, id);
    },
  };
}

/** Sixteen letters: no digit to be taken for an id, no sign that a router or a query would read. */
export const newNonce = (): string =>
  Array.from({ length: 16 }, () => String.fromCharCode("a".charCodeAt(0) + randomInt(26))).join("");
