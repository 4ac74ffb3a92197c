import { defineCheck } from "../../engine/check.ts";
import { examineLeftover, leftoverSubjects, type Leftover } from "../../attacks/leftover.ts";

export default defineCheck({
  id: "inventory-management/api-console",
  category: "inventoryManagement",
  title: "API console exposed (Swagger UI, GraphiQL)",
  severity: "info",
  confidence: "confirmed",
  description:
    "A page from which the API can be explored and called is served to anyone. It is made for development: it widens what an attacker sees, and its scripts run on the API's own origin.",
  rule: "The page is one of a known console, and a random path is answered differently.",
  control: "A random path of the same shape.",
  remediation: "Leave consoles out of production, or serve them to signed-in developers on another origin.",
  references: { cwe: 489, owasp: "API9:2023" },

  subjects: (profile) => leftoverSubjects(profile, CONSOLES),
  notApplicable: "This check applies to every target.",

  // Servers of GraphQL show their console to browsers alone.
  examine: ({ request, ...subject }, probe) =>
    examineLeftover(
      { ...subject, request: { ...request, headers: { accept: "text/html, */*;q=0.5" } } },
      probe,
    ),
});

const consoleOf =
  (what: string, severity: Leftover["severity"], form: RegExp) =>
  (path: string): Leftover => ({
    path,
    what,
    severity,
    isPage: true,
    holds: ({ body }) => form.test(body.slice(0, 65_536)),
  });
const graphqlConsole = consoleOf(
  "a console of GraphQL",
  "low",
  /graphiql|GraphQL Playground|embeddable-sandbox|Apollo (Sandbox|Server)|altair-graphql/i,
);
const swaggerConsole = consoleOf(
  "Swagger UI, which calls the API from the page",
  "info",
  /SwaggerUIBundle\s*\(|swagger-ui-(bundle|init)[\w.-]*\.js|swagger-initializer\.js/i,
);

const CONSOLES: readonly Leftover[] = [
  ...["/graphql", "/api/graphql", "/graphiql", "/playground"].map(graphqlConsole),
  ...["/docs", "/swagger-ui.html", "/swagger-ui/index.html", "/swagger/index.html", "/api-docs"].map(
    swaggerConsole,
  ),
];
