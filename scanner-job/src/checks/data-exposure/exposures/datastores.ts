import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, page, rowsWith, text, titled } from "../../../signatures/content.ts";
import { isObject, listMember, member, objectMember } from "../../../json.ts";

export const datastoreExposures = exposures(
  {
    group: "Databases, stores and their consoles",
    ofProducts: true,
    cwe: 306,
    description:
      "A database, data store or its console is accessible without credentials. An attacker can read its data, and often modify it.",
    remediation:
      "Restrict network access to the application, require authentication, and do not expose consoles to the public.",
  },
  [
    {
      name: "adminer",
      title: "Adminer exposed",
      severity: "low",
      paths: ["/adminer.php", "/adminer", "/adminer/"],
      content: page("the Adminer login page", /adminer\.org|<title>[^<]{0,40}Adminer/i),
    },
    {
      name: "phpmyadmin",
      title: "phpMyAdmin exposed",
      severity: "low",
      paths: ["/phpmyadmin/", "/pma/", "/phpMyAdmin/", "/mysql/"],
      content: page("a page of phpMyAdmin", /pmahomme|<title>[^<]{0,40}phpMyAdmin/i),
    },
    {
      name: "pgadmin",
      title: "pgAdmin exposed",
      severity: "low",
      paths: ["/pgadmin4/", "/pgadmin/"],
      content: page("a page of pgAdmin", /<title>[^<]{0,20}pgAdmin/i),
    },
    {
      name: "database-consoles",
      title: "Database console exposed without login",
      severity: "critical",
      paths: [
        "/pgweb",
        "/mongo-express/",
        "/redis-commander/",
        "/redisinsight/",
        "/dbgate/",
        "/cloudbeaver/",
      ],
      content: titled(
        "a database console",
        /^(pgweb|redis ?(commander|insight))|mongo ?express|dbgate|cloudbeaver/i,
      ),
    },
    {
      name: "elasticsearch",
      title: "Elasticsearch exposed",
      severity: "high",
      paths: ["/_cat/indices?format=json", "/_nodes", "/elasticsearch/_cat/indices?format=json"],
      content: either(
        json("the list of indices", rowsWith("index", "docs.count")),
        keys("cluster_name", "nodes"),
      ),
    },
    {
      name: "kibana",
      title: "Kibana exposed",
      severity: "medium",
      paths: ["/api/status", "/app/kibana", "/kibana/api/status"],
      content: json(
        "the Kibana status",
        (value) => "overall" in objectMember(value, "status") && "number" in objectMember(value, "version"),
      ),
    },
    {
      name: "couchdb",
      title: "CouchDB exposed",
      severity: "high",
      paths: ["/_all_dbs", "/couchdb/_all_dbs", "/_utils/"],
      content: json(
        "the list of databases",
        (value) => Array.isArray(value) && (value.includes("_users") || value.includes("_replicator")),
      ),
    },
    {
      name: "mongo-http",
      title: "MongoDB REST interface exposed",
      severity: "high",
      paths: ["/listDatabases", "/replSetGetStatus"],
      content: json(
        "the list of databases",
        (value) => Array.isArray(member(value, "databases")) && "totalSize" in (value as object),
      ),
    },
    {
      name: "influxdb",
      title: "InfluxDB exposed",
      severity: "high",
      paths: ["/query?q=SHOW%20DATABASES"],
      content: json("the list of databases", (value) =>
        listMember(value, "results").some((row) => /"name":"databases"/.test(JSON.stringify(row))),
      ),
    },
    {
      name: "clickhouse",
      title: "ClickHouse exposed",
      severity: "high",
      paths: ["/?query=SELECT%20currentDatabase()%20FORMAT%20JSON", "/play"],
      content: either(
        json(
          "the result of a statement",
          (value) =>
            Array.isArray(member(value, "meta")) &&
            "rows" in (value as object) &&
            "statistics" in (value as object),
        ),
        page("the ClickHouse console", /ClickHouse (Query|Play)/i),
      ),
    },
    {
      name: "meilisearch",
      title: "Meilisearch exposed",
      severity: "high",
      paths: ["/indexes", "/keys"],
      content: json("the list of indices", (value) =>
        [member(value, "results"), value].some(rowsWith("uid", "primaryKey")),
      ),
    },
    {
      name: "typesense",
      title: "Typesense exposed",
      severity: "high",
      paths: ["/collections"],
      content: json("the list of collections", rowsWith("name", "num_documents", "fields")),
    },
    {
      name: "object-store",
      title: "Object store listing exposed",
      severity: "high",
      everywhere: true,
      paths: ["/?list-type=2", "/minio/", "/?restype=container&comp=list"],
      content: text("a bucket listing", /<(ListBucketResult|EnumerationResults|ListAllMyBucketsResult)[\s>]/),
    },
    {
      name: "minio-metrics",
      title: "MinIO metrics exposed",
      severity: "low",
      paths: ["/minio/v2/metrics/cluster"],
      content: text("MinIO metrics", /^minio_\w+/m),
    },
    {
      name: "firebase-database",
      title: "Firebase database exposed",
      severity: "high",
      paths: ["/.json?shallow=true"],
      content: json(
        "the database keys",
        (value) =>
          isObject(value) &&
          Object.keys(value).length > 0 &&
          Object.values(value).every((each) => each === true),
      ),
    },
    {
      name: "hasura",
      title: "Hasura console exposed",
      severity: "medium",
      paths: ["/console", "/v1/version"],
      content: either(
        page("the Hasura console", /<title>[^<]{0,20}Hasura|hasura-console/i),
        json(
          "the Hasura version",
          (value) => isObject(value) && "server_type" in value && "version" in value,
        ),
      ),
    },
    {
      name: "postgrest",
      title: "Database schema exposed (PostgREST)",
      severity: "medium",
      paths: ["/rest/v1/", "/postgrest/"],
      content: text(
        "the PostgREST schema",
        /^\s*\{/,
        /standard public schema|"description":\s*"This is a dynamic API generated by PostgREST/,
      ),
    },
    {
      name: "pocketbase",
      title: "PocketBase collections exposed",
      severity: "high",
      paths: ["/api/collections"],
      content: json("the PocketBase collections", (value) =>
        listMember(value, "items").some((row) => isObject(row) && "listRule" in row && "schema" in row),
      ),
    },
    {
      name: "etcd",
      title: "etcd exposed",
      severity: "critical",
      paths: ["/v2/keys/", "/v2/members"],
      content: json(
        "etcd keys",
        (value) =>
          member(objectMember(value, "node"), "dir") === true || /"clientURLs":/.test(JSON.stringify(value)),
      ),
    },
    {
      name: "vector-store",
      title: "Vector database exposed (Qdrant, Chroma, Weaviate)",
      severity: "high",
      paths: [
        "/collections",
        "/api/v2/tenants/default_tenant/databases/default_database/collections",
        "/v1/schema",
        "/api/v1/collections",
      ],
      content: either(
        json("the Qdrant collections", (value) =>
          Array.isArray(objectMember(value, "result")["collections"]),
        ),
        json("the Chroma collections", rowsWith("id", "name", "configuration_json")),
        json("the Weaviate classes", (value) =>
          listMember(value, "classes").some((row) => isObject(row) && "vectorizer" in row),
        ),
      ),
    },
  ],
);
