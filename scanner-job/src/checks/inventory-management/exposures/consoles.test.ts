import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { consoleExposures } from "./consoles.ts";

testExposures(consoleExposures, {
  "swagger-ui": [
    pageOf("Docs", '<script>SwaggerUIBundle({ url: "/openapi.json" })</script>'),
    pageOf("Manual", "How to use swagger"),
  ],
  "api-reference": [
    pageOf("Docs", "<redoc spec-url='/openapi.json'></redoc>"),
    pageOf("Docs", "Redoc is a tool"),
  ],
  "graphql-console": [pageOf("GraphiQL"), pageOf("About graphs")],
  "postman-collection": [{ info: { _postman_id: "a", name: "b" }, item: [] }, { info: { name: "Postman" } }],
  "insomnia-export": [{ _type: "export", __export_format: 4 }, { _type: "export" }],
  "recorded-traffic": [{ log: { entries: [{ request: { url: "/" } }] } }, { log: { entries: [] } }],
  "request-file": ["### a\nGET https://api.example.org/users\n", "GET ready\n"],
  "soap-description": [
    '<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"></wsdl:definitions>',
    "<definitions></definitions>",
  ],
  wadl: ['<application xmlns="http://wadl.dev.java.net/2009/02"></application>', "<application/>"],
  "odata-metadata": ['<edmx:Edmx Version="4.0"></edmx:Edmx>', "<metadata/>"],
  asyncapi: [{ asyncapi: "3.0.0" }, { api: "3.0.0" }],
  "application-metadata": [{ config: {}, operations: [], types: [] }, { operations: 3 }],
  "agent-plugin": [{ schema_version: "v1", api: { type: "openapi" } }, { api: {} }],
});
