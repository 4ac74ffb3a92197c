ALTER TABLE "scans" ADD COLUMN "resource_uid" text;--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "resource_namespace" text;--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "installation" text;