import { randomUUID } from "node:crypto";
import type { Row } from "./rows.ts";

/** `tenant` is the id of a company. `owner` is the user: an account belongs to itself. */
export interface User extends Row {
  id: string;
  name: string;
  email: string;
  password: string;
  role: "user" | "admin";
  bankAccount: string;
  title: string;
  salary: number;
  credit: number;
}

/** An account of the shop that everybody may know: it belongs to a demonstration. */
export interface DemoCredentials {
  name: "alice" | "bob" | "carol" | "admin";
  role: User["role"];
  /** Users of one tenant see its projects and each other. Left out for the administrator of the whole shop. */
  tenant?: "harbour" | "castle";
  email: string;
  password: string;
}

/** The seeded accounts, as demo/README.md documents them. */
export const DEMO_CREDENTIALS: readonly DemoCredentials[] = [
  {
    name: "alice",
    role: "user",
    tenant: "harbour",
    email: "alice@harbour.test",
    password: "demo-alice-4Rk7",
  },
  { name: "bob", role: "user", tenant: "harbour", email: "bob@harbour.test", password: "demo-bob-9Wq2" },
  { name: "carol", role: "user", tenant: "castle", email: "carol@castle.test", password: "demo-carol-6Tz8" },
  { name: "admin", role: "admin", email: "admin@shop.test", password: "demo-admin-3Vx5" },
];

const DETAILS = {
  alice: { title: "Buyer", bankAccount: "GB33BUKB20201555555501", salary: 41_200 },
  bob: { title: "Storekeeper", bankAccount: "GB33BUKB20201555555502", salary: 37_900 },
  carol: { title: "Head of purchasing", bankAccount: "GB33BUKB20201555555503", salary: 58_300 },
  admin: { title: "Operations", bankAccount: "GB33BUKB20201555555504", salary: 63_000 },
};

/** The company of the administrator, who acts for all. */
const PLATFORM = "platform";

export function seededUsers(): User[] {
  return DEMO_CREDENTIALS.map(({ name, role, tenant = PLATFORM, email, password }) =>
    account({ name, role, tenant, email, password, credit: 250, ...DETAILS[name] }),
  );
}

/** A user who registers is alone in a new tenant. */
export const newUser = (registration: Pick<User, "name" | "email" | "password">): User =>
  account({
    ...registration,
    role: "user",
    tenant: randomUUID(),
    title: "",
    bankAccount: "",
    salary: 0,
    credit: 0,
  });

function account(values: Omit<User, "id" | "owner">): User {
  const id = randomUUID();
  return { ...values, id, owner: id } as User;
}

/** The caller of a public route who sent no credentials. */
export const GUEST: User = { ...newUser({ name: "", email: "", password: "" }), id: "", owner: "" };
