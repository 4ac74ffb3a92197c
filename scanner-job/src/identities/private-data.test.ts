import { expect, it } from "vitest";
import type { Markers } from "./markers.ts";
import { privacyOf, saysShared } from "./private-data.ts";

const owner: Markers = {
  ids: new Set(["11"]),
  names: new Set(["alice"]),
  emails: new Set(["alice@users.example"]),
  tenants: new Set(),
};

it.each<[string, unknown, boolean | undefined]>([
  ["an object that names its owner is proven", { id: 1, ownerId: 11 }, true],
  ["a text that names its owner is proven", "Invoice to alice", true],
  ["data of a person is not proven to be the owner's", { id: 1, ssn: "078-05-1120" }, false],
  ["a secret is not proven to be the owner's", { id: 1, password: "hunter2!xyz" }, false],
  ["reference data is for everybody", { code: "CH", name: "Switzerland" }, undefined],
  ["a public profile is for everybody", { id: 11, username: "alice", bio: "Tea" }, undefined],
  ["an object that says that it is public is for everybody", { id: 1, ownerId: 11, public: true }, undefined],
  ["a text that names nobody may be for everybody", "Terms of service", undefined],
])("%s", (_, data, isProven) => {
  expect(privacyOf(data, owner)?.isProven).toBe(isProven);
});

it.each<[unknown, boolean]>([
  [{ visibility: "team" }, true],
  [{ data: { isPublic: true } }, true],
  [{ private: false }, true],
  [{ visibility: "private" }, false],
  [{ public: false }, false],
])("%j says that it is shared: %s", (data, isShared) => {
  expect(saysShared(data)).toBe(isShared);
});
