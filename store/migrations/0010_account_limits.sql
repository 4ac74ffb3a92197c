ALTER TABLE "accounts" ADD COLUMN "scans_per_month" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "suspended_at" timestamp (3) with time zone;