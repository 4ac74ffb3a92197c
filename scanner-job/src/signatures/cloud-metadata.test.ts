import { expect, it } from "vitest";
import { metadataKeys } from "./cloud-metadata.ts";

it.each([
  [
    "a directory of a cloud",
    "ami-id\ninstance-id\nlocal-ipv4\niam/",
    ["ami-id", "instance-id", "local-ipv4"],
  ],
  [
    "the same inside JSON",
    JSON.stringify({ body: "ami-id\nhostname\ninstance-type" }),
    ["ami-id", "instance-type"],
  ],
  ["one word in a page", "<p>Enter the instance-id here</p>", ["instance-id"]],
  ["an echo of the address", "http://169.254.169.254/latest/meta-data/", []],
])("the keys of %s are found", (_, text, keys) =>
  expect(metadataKeys(text)).toEqual(expect.arrayContaining(keys)),
);

it("an escaped line break does not hide a key", () => {
  expect(metadataKeys(String.raw`"ami-id\ninstance-id\nlocal-ipv4"`)).toEqual([
    "ami-id",
    "instance-id",
    "local-ipv4",
  ]);
});
