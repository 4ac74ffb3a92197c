import type { NetworkInterfaceInfo } from "node:os";
import { expect, test } from "vitest";
import { addressFamilies } from "./families.ts";

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(":") ? "IPv6" : "IPv4" }) as NetworkInterfaceInfo;

test.each<[string, NetworkInterfaceInfo[], string[]]>([
  ["of both families", [at("10.1.2.3"), at("fd00::3")], ["IPv4", "IPv6"]],
  ["with a link-local address beside", [at("10.1.2.3"), at("fe80::3"), at("169.254.1.1")], ["IPv4"]],
  ["of IPv6 alone", [at("2001:db8::3"), at("127.0.0.1", true)], ["IPv6"]],
  ["without a network", [at("127.0.0.1", true), at("::1", true)], []],
])("a pod %s has these families", (_, addresses, families) => {
  expect([...addressFamilies({ eth0: addresses })]).toEqual(families);
});
