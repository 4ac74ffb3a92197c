ALTER TABLE "schedules" ADD COLUMN "include" text[];--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "exclude" text[];--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "identity_set" text;