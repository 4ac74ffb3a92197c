import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { datastoreExposures } from "./datastores.ts";

testExposures(datastoreExposures, {
  adminer: [pageOf("Login - Adminer"), pageOf("Administration")],
  phpmyadmin: [pageOf("phpMyAdmin"), pageOf("My admin")],
  pgadmin: [pageOf("pgAdmin 4"), pageOf("Admin")],
  "database-consoles": [pageOf("pgweb"), pageOf("Web")],
  elasticsearch: [[{ index: "users", "docs.count": "3" }], [{ index: 1 }]],
  kibana: [
    { version: { number: "8" }, status: { overall: {} } },
    { status: "ok", version: "8" },
  ],
  couchdb: [["_users", "shop"], ["shop"]],
  "mongo-http": [{ databases: [], totalSize: 3 }, { databases: 3 }],
  influxdb: [{ results: [{ series: [{ name: "databases", values: [["a"]] }] }] }, { results: [] }],
  clickhouse: [{ meta: [], data: [], rows: 1, statistics: {} }, { data: [] }],
  meilisearch: [{ results: [{ uid: "books", primaryKey: "id" }] }, { results: [] }],
  typesense: [[{ name: "books", num_documents: 3, fields: [] }], [{ name: "Spring" }]],
  "object-store": [
    "<ListBucketResult><Name>a</Name></ListBucketResult>",
    "<Error><Code>AccessDenied</Code></Error>",
  ],
  "minio-metrics": ["minio_cluster_health_status 1\n", "health 1\n"],
  "firebase-database": [{ users: true, orders: true }, { error: "Permission denied" }],
  hasura: [pageOf("Hasura Console"), pageOf("Console")],
  postgrest: [{ swagger: "2.0", info: { title: "standard public schema" } }, { info: {} }],
  pocketbase: [{ items: [{ name: "users", listRule: "", schema: [] }] }, { items: [] }],
  etcd: [{ action: "get", node: { dir: true } }, { node: "a" }],
  "vector-store": [{ result: { collections: [] }, status: "ok" }, { result: [] }],
});
