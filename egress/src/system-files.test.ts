import { expect, test } from "vitest";
import { parseHosts, parseSearchList } from "./system-files.ts";

test.each<[string, string, [string, string[]][]]>([
  [
    "a line names an address and its names",
    "127.0.0.1\tlocalhost loop\n",
    [
      ["localhost", ["127.0.0.1"]],
      ["loop", ["127.0.0.1"]],
    ],
  ],
  [
    "a name may have several addresses, each once",
    "127.0.0.1 a\n::1 a\n127.0.0.1 a",
    [["a", ["127.0.0.1", "::1"]]],
  ],
  [
    "comments, blank lines and case do not count",
    "# 1.2.3.4 b\n\n 10.0.0.1  A # c\r\n",
    [["a", ["10.0.0.1"]]],
  ],
  ["what is no address names nothing", "nonsense a\n1.2.3 b\n", []],
])("in a hosts file %s", (_, text, expected) => {
  expect([...parseHosts(text)]).toEqual(expected);
});

test.each<[string, string, string[]]>([
  [
    "is what `search` names",
    "nameserver 10.0.0.10\nsearch a.svc.cluster.local svc.cluster.local. example.com\noptions ndots:5\n",
    ["a.svc.cluster.local", "svc.cluster.local", "example.com"],
  ],
  ["is the last that is given", "domain one.example\nsearch two.example", ["two.example"]],
  ["is empty where none is given", "nameserver 10.0.0.10\n# search three.example\n", []],
  ["is empty where the root alone is named", "search .\n", []],
])("the search list %s", (_, text, expected) => {
  expect(parseSearchList(text)).toEqual(expected);
});
