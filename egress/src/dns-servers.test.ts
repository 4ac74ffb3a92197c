import { expect, test } from "vitest";
import { parseDnsServers } from "./dns-servers.ts";

test.each([
  ["", []],
  ["10.0.0.53", ["10.0.0.53"]],
  ["10.0.0.53:5353, 2001:db8::53,[2001:db8::53]:53", ["10.0.0.53:5353", "2001:db8::53", "[2001:db8::53]:53"]],
])("%j names the servers %j", (text, servers) => {
  expect(parseDnsServers(text)).toEqual(servers);
});

test.each([
  "dns.example.com",
  "10.0.0.53:0",
  "10.0.0.53:70000",
  "10.0.0",
  "[10.0.0.53]:53",
  "[2001:db8::53",
  "2001:db8::53:x",
])("%j is refused with the entry", (entry) => {
  expect(() => parseDnsServers(`10.0.0.1,${entry}`)).toThrow(
    `"${entry}" is not the address of a name server`,
  );
});
