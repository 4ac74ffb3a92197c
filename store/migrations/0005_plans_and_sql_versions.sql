CREATE TABLE "plans" (
	"name" text PRIMARY KEY NOT NULL,
	"scans_per_month" integer
);
--> statement-breakpoint
CREATE TABLE "sql_versions" (
	"sha256" char(64) PRIMARY KEY NOT NULL,
	"applied_at" timestamp (3) with time zone NOT NULL
);
