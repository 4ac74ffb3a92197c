ALTER TABLE "reports" ADD COLUMN "packed" "bytea";--> statement-breakpoint
ALTER TABLE "reports" ALTER COLUMN "packed" SET STORAGE EXTERNAL;
