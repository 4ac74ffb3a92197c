import { randomUUID } from "node:crypto";
import type { Row } from "./rows.ts";
import type { User } from "./users.ts";

export type Tables = Record<
  | "orders"
  | "notes"
  | "documents"
  | "invoices"
  | "baskets"
  | "lists"
  | "projects"
  | "comments"
  | "returns"
  | "messages"
  | "companies"
  | "contracts"
  | "suppliers"
  | "coupons"
  | "reservations"
  | "vouchers"
  | "giftCards",
  Row[]
>;

const FIRST_NUMBER = 5001;

/** The objects of the seeded users, and those of their companies. */
export function seededTables(users: readonly User[]): Tables {
  const customers = users.filter(({ role }) => role === "user");
  const admin = users.find(({ role }) => role === "admin")!;
  const firstOfEach = users.filter(
    ({ tenant }, index) => users.findIndex((each) => each.tenant === tenant) === index,
  );
  return {
    orders: perUser(customers, 2, (user, index, number) => ({
      id: number,
      item: ["Desk lamp", "Filing cabinet"][index],
      quantity: index + 2,
      deliverTo: `${user.name}, ${HOMES[user.name]}`,
      status: index === 0 ? "shipped" : "open",
    })),
    notes: perUser(customers, 2, ({ name }, index) => ({
      title: `Note ${index + 1} of ${name}`,
      text: `${name}'s door code is ${4400 + index}-${name.length}`,
    })),
    documents: perUser(customers, 1, ({ name }) => ({
      title: `Credit report of ${name}`,
      text: `Confidential: ${name} scored ${600 + name.charCodeAt(0)}`,
    })),
    invoices: perUser(customers, 2, ({ name, bankAccount }, index, number) => ({
      id: number,
      payer: name,
      bankAccount,
      amount: 120 + 45 * index,
      lines: [1, 2].map((line) => ({ id: number * 10 + line, text: `${name}: article ${line}`, price: 60 })),
    })),
    baskets: perUser(customers, 1, ({ name }) => ({
      items: [`Chair for ${name}`],
      voucher: `GIFT-${name}-50`,
    })),
    lists: lists(customers),
    projects: projects(customers),
    comments: [],
    returns: perUser(customers, 1, ({ name }, _index, number) => ({
      id: number,
      reason: `${name}: wrong colour`,
    })),
    messages: perUser(customers, 2, ({ name }, index) => ({
      subject: `Your question ${index + 1}`,
      text: `Dear ${name}, your refund went to ${HOMES[name]}.`,
    })),
    ...ofCompanies(firstOfEach),
    ...usedOnce(customers),
    coupons: perUser([admin], 1, () => ({ code: "SPRING", percent: 10 })),
  };
}

/** What is reserved, redeemed and claimed. */
const usedOnce = (customers: readonly User[]): Pick<Tables, "reservations" | "vouchers" | "giftCards"> => ({
  reservations: perUser(customers, 1, ({ name }) => ({ item: `Chair for ${name}`, pieces: 4, floor: 2 })),
  vouchers: perUser(customers, 1, ({ name }) => ({ title: `Bonus of ${name}`, status: "unused" })),
  giftCards: perUser(customers, 1, ({ name }) => ({ title: `Present for ${name}`, status: "unused" })),
});

const HOMES: Record<string, string> = {
  alice: "4 Quay Street, Bristol",
  bob: "17 Mill Lane, Leeds",
  carol: "2 Castle Square, York",
};

/** `count` rows for each user. Numbers start at 5001 in each table. */
function perUser(
  users: readonly User[],
  count: number,
  fields: (user: User, index: number, number: number) => object,
): Row[] {
  return users.flatMap((user, ordinal) =>
    Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      owner: user.id,
      tenant: user.tenant,
      ...fields(user, index, FIRST_NUMBER + ordinal * count + index),
    })),
  );
}

/** Each user has a list. The first shares hers with the second. */
const lists = (users: readonly User[]): Row[] =>
  perUser(users, 1, (user) => ({
    title: `Wish list of ${user.name}`,
    items: ["Monitor arm", "Whiteboard"],
    sharedWith: user === users[0] ? [users[1]!.id] : [],
  }));

/** A project for each company, and one that its owner has not opened to the company. */
const projects = (users: readonly User[]): Row[] =>
  perUser(users, 2, (user, index) => ({
    title: index === 0 ? `Office of ${user.tenant}: ${user.name}` : `Pay review of ${user.name}`,
    members:
      index === 0 ? users.filter(({ tenant }) => tenant === user.tenant).map(({ id }) => id) : [user.id],
  }));

const ofCompanies = (owners: readonly User[]): Pick<Tables, "companies" | "contracts" | "suppliers"> => ({
  companies: perUser(owners, 1, ({ tenant }) => ({
    id: tenant,
    name: `${tenant} supplies`,
    taxNumber: `GB${tenant.length}88214${tenant.charCodeAt(0)}`,
    spending: tenant.length * 10_400,
  })),
  contracts: perUser(owners, 1, ({ tenant }) => ({
    title: `Lease of ${tenant}`,
    monthlyRent: 3_100 + tenant.length,
  })),
  suppliers: perUser(owners, 2, ({ tenant }, index) => ({
    name: `Supplier ${index + 1} of ${tenant}`,
    contact: `sales-${index + 1}@${tenant}-supplier.test`,
  })),
});

/** A comment of the owner on each project. */
export const seededComments = (all: readonly Row[]): Row[] =>
  all.map(({ id, owner, tenant, title }) => ({
    id: randomUUID(),
    owner,
    tenant,
    project: id,
    text: `Decided for "${String(title)}": 4 % from April`,
  }));
