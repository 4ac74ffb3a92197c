/** Kinds of routes that exist beside a document, the most harmful first, and how likely one of a kind is found. */
export const ROUTE_NAMES: readonly {
  readonly kind: string;
  readonly prior: number;
  readonly names: string;
}[] = [
  {
    kind: "operations",
    prior: 0.5,
    names:
      "debug env info config health metrics status version stats logs environment configuration settings config.json debug/env " +
      "vars props about build buildinfo git stat system sysinfo server diagnostics trace threaddump heapdump log errors error " +
      "audit auditlog events history prometheus monitor monitoring _debug debug/vars settings.json",
  },
  {
    kind: "administration",
    prior: 0.5,
    names:
      "admin admin/users internal management users/all admin/config dashboard console panel manage manager backoffice staff " +
      "admin/login admins administrator superuser impersonate feature-flags flags jobs queues tasks cron scheduler workers cache " +
      "maintenance migrations backup backups export import download db database query sql admin/stats admin/logs admin/settings",
  },
  {
    kind: "people and secrets",
    prior: 0.4,
    names:
      "users user me accounts customers profiles whoami profile account members clients employees patients contacts roles " +
      "permissions groups teams orgs organizations tenants keys api-keys tokens secrets credentials sessions invites apikeys " +
      "secret certs passwords",
  },
  {
    kind: "authentication",
    prior: 0.4,
    names:
      "login auth/login auth register token auth/token oauth/token auth/register signin signup userinfo jwks .well-known/jwks.json " +
      "auth/jwks refresh auth/refresh verify forgot-password reset-password password/reset otp 2fa mfa sso saml introspect " +
      "users/login user/login auth/me session auth/session users/me users/register change-password",
  },
  {
    kind: "hidden surface",
    prior: 0.35,
    names:
      "private internal/users internal/config _internal int hidden legacy old beta alpha dev test tests testing sandbox demo sample " +
      "mock temp tmp staging qa preview experimental v0 v1 v2 v3 v4 latest next v1/users v2/users",
  },
  {
    kind: "signs of life",
    prior: 0.2,
    names:
      "healthz health/ready health/live readyz livez ping alive heartbeat up _health _status healthcheck",
  },
  {
    kind: "hooks and tools",
    prior: 0.3,
    names:
      "graphql search webhooks upload files render proxy fetch convert pdf webhook hooks callback notify preview import-url " +
      "screenshot thumbnail sync rpc jsonrpc batch bulk ws schema metadata meta help docs openapi.json swagger.json",
  },
  {
    kind: "business",
    prior: 0.25,
    names:
      "orders products invoices payments transactions carts items inventory reports messages notifications comments documents order " +
      "transfers balance cards billing subscriptions refunds coupons checkout report statistics analytics uploads attachments " +
      "media images tickets notes reviews events posts categories",
  },
];
