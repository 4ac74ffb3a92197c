import { describe, expect, it } from "vitest";
import { internalAddressesIn } from "./internal-addresses.ts";

describe("internalAddressesIn", () => {
  it.each([
    ['{"upstream": "http://10.20.0.15:8080/pay"}', "10.20.0.15"],
    ["connect ECONNREFUSED 172.31.255.1:5432", "172.31.255.1"],
    ["postgres://app@192.168.1.10/app", "192.168.1.10"],
    ["https://billing.svc.cluster.local/x", "billing.svc.cluster.local"],
    ["amqp://app:x7@queue.acme.internal/", "queue.acme.internal"],
    ['{"host": "db-1.prod.internal"}', "db-1.prod.internal"],
  ])("finds the address in %s", (text, address) => {
    expect(internalAddressesIn(text)).toEqual([address]);
  });

  it.each([
    ["a public address", "http://93.184.216.34/"],
    ["an address outside the range", "172.32.0.1 and 192.169.0.1 and 11.0.0.1"],
    ["no address", "10.20.300.15"],
    ["a longer number", "110.20.0.15 or 10.20.0.15.1"],
    ["a version", '{"version": "10.0.2.1"} Chrome/10.0.0.1'],
    ["the caller's address", '{"ip": "172.17.0.1", "clientAddress": "10.0.0.7"}'],
    ["a network, as settings of firewalls have it", "10.0.0.0/8"],
    ["an e-mail address", '{"email": "ada@acme.local"}'],
    ["a word with a dot", "see util.local for it"],
  ])("takes %s for none", (_, text) => {
    expect(internalAddressesIn(text)).toEqual([]);
  });

  it("lists each once, and five at most", () => {
    const many = Array.from({ length: 20 }, (_, host) => `10.0.0.${host}`).join(" ");
    expect(internalAddressesIn(`${many} ${many}`)).toHaveLength(5);
  });
});
