import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type Account, createAccounts } from "./accounts.ts";
import { createPharmacy } from "./pharmacy.ts";
import { FIRST_ID } from "./operations.ts";
import type { Variant } from "./route.ts";
import { TokenBuckets } from "./token-bucket.ts";

export type Row = Record<string, unknown> & { id: string | number; owner: string };

/** The data of one running demo, in memory. */
export interface Clinic {
  variant: Variant;
  /** Its origin, without a trailing slash. */
  origin: string;
  /** The OpenAPI document of this variant. */
  document: object;
  accounts: Account[];
  patients: Row[];
  records: Row[];
  documents: Row[];
  invoices: Row[];
  appointments: Row[];
  doctors: Row[];
  branches: Row[];
  events: Row[];
  pharmacy: DatabaseSync;
  /** Limit of the hardened variant for attempts at secrets: five, and then one every twelve seconds. */
  attempts: TokenBuckets;
  remembered: string[];
  now: () => Date;
}

export function createClinic({
  variant,
  origin,
  document,
  now,
}: Pick<Clinic, "variant" | "origin" | "document" | "now">): Clinic {
  const accounts = createAccounts();
  const rows = (values: object[]): Row[] =>
    values.map((value, index) => ({
      id: variant === "vulnerable" ? FIRST_ID + index : randomUUID(),
      owner: accounts[index % 2]!.id,
      ...value,
    }));
  return {
    variant,
    origin,
    document,
    now,
    accounts,
    patients: rows(PEOPLE),
    records: rows(PEOPLE.map(({ name }) => ({ patient: name, diagnosis: "J45.9", notes: "Asthma, stable" }))),
    documents: rows(PEOPLE.map(({ name }) => ({ title: `Letter to ${name}`, text: "Results enclosed." }))),
    invoices: rows(
      PEOPLE.map(({ name }, index) => ({ patient: name, amount: 40 + index * 15, paid: index > 1 })),
    ),
    appointments: rows(PEOPLE.map(({ name }) => ({ patient: name, at: "2027-01-12T09:30:00Z", room: "2" }))),
    doctors: rows(DOCTORS),
    branches: rows(BRANCHES),
    events: rows(Array.from({ length: 500 }, (_, index) => ({ title: `Open evening ${index + 1}` }))),
    pharmacy: createPharmacy(variant),
    attempts: new TokenBuckets({ capacity: 5, perSecond: 5 / 60, now: () => now().getTime() }),
    remembered: [],
  };
}

/** The given fields of a row. */
export function pick<Key extends string>(row: Row, keys: readonly Key[]): Record<Key, unknown> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Record<Key, unknown>;
}

const PEOPLE = [
  {
    name: "Ada Byron",
    email: "ada@larkfield.test",
    dateOfBirth: "1985-12-10",
    phone: "+44 20 7946 0101",
    ssn: "536-90-4399",
  },
  {
    name: "Ben Okri",
    email: "ben@larkfield.test",
    dateOfBirth: "1979-03-15",
    phone: "+44 20 7946 0102",
    ssn: "530-82-1846",
  },
  {
    name: "Cora Diaz",
    email: "cora@larkfield.test",
    dateOfBirth: "1990-07-01",
    phone: "+44 20 7946 0103",
    ssn: "518-64-7291",
  },
  {
    name: "Dev Patel",
    email: "dev@larkfield.test",
    dateOfBirth: "1968-11-23",
    phone: "+44 20 7946 0104",
    ssn: "602-17-3358",
  },
];

const DOCTORS = [
  { name: "Dr Ines Lund", specialty: "Cardiology" },
  { name: "Dr Omar Haddad", specialty: "Paediatrics" },
  { name: "Dr Yuki Mori", specialty: "Dermatology" },
].map((doctor, index) => ({
  ...doctor,
  passwordHash: `$2b$10$N9qo8uLOickgx2ZMRZoMy.MrqK3a6Z1Jb7n0pUEw8dGf5hVtXcQ${"ikm"[index]!}e`,
  ssn: `41${index}-55-10${index}7`,
  apiToken: `lk_live_${"9f86d081884c7d659a2feaa0c55ad015".slice(index)}`,
}));

const BRANCHES = [
  {
    name: "Harbour Street",
    city: "Bristol",
    passwordHash: "$2b$10$cccccccccccccccccccccuQ1x",
    revenue: 310_000,
  },
  { name: "Mill Lane", city: "Leeds", passwordHash: "$2b$10$aaaaaaaaaaaaaaaaaaaaaue9p", revenue: 120_000 },
  { name: "Castle Square", city: "York", passwordHash: "$2b$10$bbbbbbbbbbbbbbbbbbbbbu7Kd", revenue: 450_000 },
];
