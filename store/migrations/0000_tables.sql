CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"plan" text NOT NULL,
	"owner" text,
	"requests_per_minute" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"body_digest" text NOT NULL,
	"scan_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sha256" char(64) NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "keys_sha256_unique" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"scan_id" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scan_counts" (
	"account_id" uuid NOT NULL,
	"shard" smallint NOT NULL,
	"scans" bigint NOT NULL,
	CONSTRAINT "scan_counts_account_id_shard_pk" PRIMARY KEY("account_id","shard")
);
--> statement-breakpoint
CREATE TABLE "scans" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"url" text NOT NULL,
	"spec_url" text,
	"context" text,
	"status" text DEFAULT 'processing' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"progress_done" integer DEFAULT 0 NOT NULL,
	"progress_planned" integer DEFAULT 0 NOT NULL,
	"failure_code" text,
	"failure_message" text,
	"score" smallint,
	"grade" text,
	"findings_count" integer DEFAULT 0 NOT NULL,
	"charged_month" char(7) NOT NULL,
	"charged_shard" smallint NOT NULL,
	"worker" text,
	"lease_until" timestamp (3) with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"account_id" uuid NOT NULL,
	"month" char(7) NOT NULL,
	"shard" smallint NOT NULL,
	"started" integer NOT NULL,
	CONSTRAINT "usage_account_id_month_shard_pk" PRIMARY KEY("account_id","month","shard")
);
--> statement-breakpoint
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_scan_id_scans_id_fk" FOREIGN KEY ("scan_id") REFERENCES "public"."scans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_counts" ADD CONSTRAINT "scan_counts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scans" ADD CONSTRAINT "scans_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_oldest" ON "idempotency" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "keys_account" ON "keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "scans_newest" ON "scans" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "scans_processing" ON "scans" USING btree ("created_at","id") WHERE status = 'processing';