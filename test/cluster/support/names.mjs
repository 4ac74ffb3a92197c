// Loaded before a program: TEST_HOSTS (JSON, by name) is what its lookups find. An address, several, or, for a name that
// rebinds, `{"first": …, "later": …}`: what its first lookup finds, and all others.
// TEST_CLOCK_AHEAD_MS: by so much its clock is ahead of the true time, or behind where that is negative.
import { Resolver } from "node:dns/promises";

const hosts = JSON.parse(process.env.TEST_HOSTS ?? "{}");

/** Replaces the look-up of one family. */
function answer(method, isOfFamily) {
  const ask = Resolver.prototype[method];
  const asked = new Set();
  Resolver.prototype[method] = async function (name) {
    if (!(name in hosts)) return ask.call(this, name);
    const { first = hosts[name], later = hosts[name] } = hosts[name];
    const found = asked.has(name) ? later : first;
    asked.add(name);
    return [found].flat().filter(isOfFamily);
  };
}

answer("resolve4", (address) => !address.includes(":"));
answer("resolve6", (address) => address.includes(":"));

const ahead = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
if (ahead !== 0) {
  const TrueDate = globalThis.Date;
  globalThis.Date = class Date extends TrueDate {
    constructor(...args) {
      if (args.length === 0) super(TrueDate.now() + ahead);
      else super(...args);
    }
    static now() {
      return TrueDate.now() + ahead;
    }
  };
}
