CREATE TABLE "scan_writes" (
	"scan_id" text NOT NULL,
	"seq" smallint NOT NULL,
	"entry" jsonb NOT NULL,
	CONSTRAINT "scan_writes_scan_id_seq_pk" PRIMARY KEY("scan_id","seq")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "active_mode" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "seed" text;--> statement-breakpoint
ALTER TABLE "scan_writes" ADD CONSTRAINT "scan_writes_scan_id_scans_id_fk" FOREIGN KEY ("scan_id") REFERENCES "public"."scans"("id") ON DELETE cascade ON UPDATE no action;