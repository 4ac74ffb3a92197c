import { withMember } from "../json.ts";
import { lettersOf } from "../names.ts";
import type { Operation, RequestChanges } from "../inventory/operation.ts";
import { TENANT } from "../identities/markers.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import type { ComparedCallers } from "./caller-pairs.ts";

/** A way to name a tenant in a request. */
export interface TenantSwitch {
  /** As the owner of the data sends it. */
  readonly own: ProbeRequest;
  /** As the attacker sends it with its own tenant. */
  readonly plain: ProbeRequest;
  /** With the tenant of the owner. */
  readonly attack: ProbeRequest;
  /** With a tenant that does not exist. */
  readonly none: ProbeRequest;
  /** `the header X-Tenant-Id`. */
  readonly label: string;
}

/** Headers that select a tenant where none is declared. */
const HEADERS = [
  "X-Tenant-Id",
  "X-Tenant",
  "X-Org-Id",
  "X-Organization-Id",
  "X-Workspace-Id",
  "X-Company-Id",
];
const NO_TENANT = "none-7f3a9c";

interface Way {
  readonly label: string;
  readonly with: (tenant: string) => RequestChanges;
  /** The request always names a tenant there. */
  readonly isRequired: boolean;
}

/** The ways in which the operation may be told a tenant. */
export async function tenantSwitches(
  operation: Operation,
  { ofOwner, ofAttacker }: ComparedCallers,
  tenants: { readonly tenant: string; readonly own: string | undefined },
): Promise<TenantSwitch[]> {
  const { tenant, own } = tenants;
  const body = operation.facts.body === undefined ? undefined : await ofAttacker.bodyOf(operation);
  const ways = waysOf(operation, body).filter((way) => !way.isRequired || own !== undefined);
  return Promise.all(
    ways.map(async (way) => ({
      label: way.label,
      own: await ofOwner.withRealIds(operation, way.isRequired ? way.with(tenant) : {}),
      plain: await ofAttacker.withRealIds(operation, way.isRequired ? way.with(own!) : {}),
      attack: await ofAttacker.withRealIds(operation, way.with(tenant)),
      none: await ofAttacker.withRealIds(
        operation,
        way.with(/^\d+$/.test(tenant) ? "2147480001" : NO_TENANT),
      ),
    })),
  );
}

function waysOf({ facts }: Operation, body: unknown): Way[] {
  const declared = facts.parameters.filter(({ name }) => TENANT.test(lettersOf(name.replace(/^x-/i, ""))));
  const inPath = declared.filter(({ in: location }) => location === "path");
  // What stands below another object is compared by its ids.
  if (facts.path.includes("{") && inPath.length === 0) return [];
  const at = (location: string) => declared.filter((each) => each.in === location);
  const headers = at("header").map(({ name }) => name);
  return [
    ...inPath.map(({ name }): Way => ({
      label: `${name} in the path`,
      isRequired: true,
      with: (tenant) => ({ path: { [name]: tenant } }),
    })),
    ...at("query").map(({ name, required }): Way => ({
      label: `the query parameter ${name}`,
      isRequired: required,
      with: (tenant) => ({ query: { [name]: tenant } }),
    })),
    ...(facts.body?.fields ?? [])
      .filter(({ name, path }) => path === name && TENANT.test(lettersOf(name)))
      .map(({ name, type }): Way => ({
        label: `${name} in the body`,
        isRequired: true,
        with: (tenant) => ({ content: withMember(body, name, type === "integer" ? Number(tenant) : tenant) }),
      })),
    // Several headers in one request: which of them it is, its name tells the reader of the evidence.
    {
      label: `the header ${(headers.length > 0 ? headers : HEADERS).join(", ")}`,
      isRequired: false,
      with: (tenant) => ({
        headers: Object.fromEntries(
          (headers.length > 0 ? headers : HEADERS).map((name) => [name.toLowerCase(), tenant]),
        ),
      }),
    },
  ];
}
