import { exposures } from "../../../attacks/exposure.ts";
import { either, json, page, text } from "../../../signatures/content.ts";
import { isObject, listMember, objectMember } from "../../../json.ts";

export const consoleExposures = exposures(
  {
    group: "Consoles and descriptions of the API",
    category: "inventoryManagement",
    below: "base",
    cwe: 489,
    description:
      "A console or description of the API is public. It is meant for development, and shows an attacker the whole attack surface.",
    remediation:
      "Remove development consoles and files from production, or serve them to authenticated developers on a separate origin.",
  },
  [
    {
      name: "swagger-ui",
      title: "API console exposed (Swagger UI)",
      severity: "info",
      everywhere: true,
      paths: [
        "/docs",
        "/swagger-ui.html",
        "/swagger-ui/index.html",
        "/swagger/index.html",
        "/api-docs",
        "/swagger",
        "/api/docs",
        "/swagger-ui/",
        "/api",
        "/explorer",
        "/documentation",
      ],
      content: page(
        "Swagger UI, which calls the API from the page",
        /SwaggerUIBundle\s*\(|swagger-ui-(bundle|init)[\w.-]*\.js|swagger-initializer\.js|id="swagger-ui"/i,
      ),
    },
    {
      name: "api-reference",
      title: "API reference exposed (Redoc, Scalar, RapiDoc)",
      severity: "info",
      everywhere: true,
      paths: ["/redoc", "/reference", "/scalar", "/rapidoc", "/elements", "/api/redoc"],
      content: page(
        "an API reference",
        /<redoc[\s>]|Redoc\.init\(|@scalar\/api-reference|<rapi-doc[\s>]|<elements-api[\s>]/i,
      ),
    },
    {
      name: "graphql-console",
      title: "GraphQL console exposed (GraphiQL, Playground)",
      severity: "low",
      everywhere: true,
      paths: [
        "/graphql",
        "/graphiql",
        "/api/graphql",
        "/playground",
        "/altair",
        "/voyager",
        "/sandbox",
        "/graphql-playground",
        "/api/graphiql",
      ],
      content: page(
        "a GraphQL console",
        /GraphiQL\.createFetcher|<title>[^<]{0,40}(GraphiQL|GraphQL Playground|Altair|GraphQL Voyager|Apollo (Sandbox|Server))|GraphQLPlayground\.init|embeddable-sandbox|AltairGraphQL|GraphQLVoyager|graphiql(\.min)?\.js/i,
      ),
    },
    {
      name: "postman-collection",
      title: "Postman collection exposed",
      severity: "low",
      paths: ["/postman.json", "/postman_collection.json", "/docs/postman.json", "/collection.json"],
      content: json(
        "a Postman collection",
        (value) =>
          "_postman_id" in objectMember(value, "info") ||
          (/getpostman\.com/.test(JSON.stringify(objectMember(value, "info"))) &&
            Array.isArray((value as Record<string, unknown>)["item"])),
      ),
    },
    {
      name: "insomnia-export",
      title: "Insomnia export exposed",
      severity: "low",
      paths: ["/insomnia.json", "/Insomnia.json"],
      content: json("an Insomnia export", (value) => isObject(value) && "__export_format" in value),
    },
    {
      name: "recorded-traffic",
      title: "Recorded traffic exposed (HAR)",
      severity: "medium",
      paths: ["/api.har", "/traffic.har"],
      content: json("recorded traffic", (value) =>
        listMember(objectMember(value, "log"), "entries").some((row) => isObject(row) && "request" in row),
      ),
    },
    {
      name: "request-file",
      title: "API request file exposed",
      severity: "low",
      paths: ["/api.http", "/requests.http", "/test.http"],
      content: text("developer requests", /^(GET|POST|PUT|DELETE|PATCH) (https?:\/\/|\{\{|\/)\S+/m),
    },
    {
      name: "soap-description",
      title: "SOAP service description exposed (WSDL)",
      severity: "info",
      paths: ["/?wsdl", "/services?wsdl", "/service?wsdl", "/ws?wsdl", "/soap?wsdl"],
      content: text("a SOAP service description", /<(wsdl:)?definitions[\s>]/, /schemas\.xmlsoap\.org\/wsdl/),
    },
    {
      name: "wadl",
      title: "REST service description exposed (WADL)",
      severity: "info",
      paths: ["/application.wadl", "/api/application.wadl"],
      content: text("a WADL description", /<application[\s>]/, /wadl\.dev\.java\.net|ns\.wadl/),
    },
    {
      name: "odata-metadata",
      title: "OData metadata exposed",
      severity: "info",
      paths: ["/odata/$metadata", "/$metadata", "/api/$metadata"],
      content: text("the OData metadata", /<edmx:Edmx[\s>]/),
    },
    {
      name: "asyncapi",
      title: "AsyncAPI document exposed",
      severity: "info",
      paths: ["/asyncapi.json", "/asyncapi.yaml", "/docs/asyncapi.json"],
      content: text("an AsyncAPI document", /"asyncapi"\s*:\s*"\d|^asyncapi:\s*['"]?\d/m),
    },
    {
      name: "application-metadata",
      title: "Service metadata exposed (ServiceStack)",
      severity: "info",
      paths: ["/types/metadata.json", "/metadata/app.json"],
      content: either(
        json("the ServiceStack metadata", (value) => Array.isArray(objectMember(value, "api")["operations"])),
        json(
          "the ServiceStack types",
          (value) => isObject(value) && Array.isArray(value["operations"]) && "types" in value,
        ),
      ),
    },
    {
      name: "agent-plugin",
      title: "Plugin description exposed (ai-plugin.json)",
      severity: "info",
      paths: ["/.well-known/ai-plugin.json"],
      content: json(
        "a plugin description",
        (value) => isObject(value) && "schema_version" in value && isObject(value["api"]),
      ),
    },
  ],
);
