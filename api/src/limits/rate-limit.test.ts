import { expect, test } from "vitest";
import { addressKey } from "./rate-limit.ts";

const rows: readonly (readonly [string | undefined, string])[] = [
  ["192.0.2.7", "address:192.0.2.7"],
  ["::ffff:192.0.2.7", "address:192.0.2.7"],
  ["::FFFF:192.0.2.7", "address:192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "address:2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::9", "address:2001:db8:1:2::/64"],
  ["2001:db8::1", "address:2001:db8:0:0::/64"],
  ["::1", "address:0:0:0:0::/64"],
  ["fe80::1%eth0", "address:fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.7", "address:64:ff9b:0:0::/64"],
  [undefined, "address:unknown"],
];
test.each(rows)("%s is counted as %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});
