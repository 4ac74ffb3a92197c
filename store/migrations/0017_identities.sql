CREATE TABLE "identity_sets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"origin" text NOT NULL,
	"summary" jsonb NOT NULL,
	"ciphertext" text NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_sets_name" UNIQUE("account_id","origin","name")
);
--> statement-breakpoint
CREATE TABLE "scan_identities" (
	"scan_id" text PRIMARY KEY NOT NULL,
	"ciphertext" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "include" text[];--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "exclude" text[];--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "identity_names" text[];--> statement-breakpoint
ALTER TABLE "identity_sets" ADD CONSTRAINT "identity_sets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_identities" ADD CONSTRAINT "scan_identities_scan_id_scans_id_fk" FOREIGN KEY ("scan_id") REFERENCES "public"."scans"("id") ON DELETE cascade ON UPDATE no action;