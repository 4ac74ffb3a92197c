// Loaded before a program. TEST_HOSTS: results of its DNS lookups by name, as JSON: an address, a list of addresses, or, for DNS
// rebinding, `{"first": …, "later": …}`, the result of the first lookup of each address family and of all later ones.
// TEST_CLOCK_AHEAD_MS: how far its clock is ahead of the real time; behind if negative.
import { Resolver } from "node:dns/promises";

const hosts = JSON.parse(process.env.TEST_HOSTS ?? "{}");

/** Replaces the lookup of one address family. */
function fake(method, isOfFamily) {
  const original = Resolver.prototype[method];
  const seen = new Set();
  Resolver.prototype[method] = async function (name) {
    if (!(name in hosts)) return original.call(this, name);
    const { first = hosts[name], later = hosts[name] } = hosts[name];
    const found = seen.has(name) ? later : first;
    seen.add(name);
    return [found].flat().filter(isOfFamily);
  };
}

fake("resolve4", (address) => !address.includes(":"));
fake("resolve6", (address) => address.includes(":"));

const ahead = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
if (ahead !== 0) {
  const RealDate = globalThis.Date;
  globalThis.Date = class Date extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + ahead);
      else super(...args);
    }
    static now() {
      return RealDate.now() + ahead;
    }
  };
}
