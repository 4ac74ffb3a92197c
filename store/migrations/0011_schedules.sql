CREATE TABLE "schedule_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schedule_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schedule_id" uuid NOT NULL,
	"scheduled_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL,
	"missed" smallint DEFAULT 0 NOT NULL,
	"code" text,
	"reason" text,
	"scan_id" text
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"spec_url" text,
	"context" text,
	"schedule" text NOT NULL,
	"time_zone" text NOT NULL,
	"jitter_seconds" integer NOT NULL,
	"starting_deadline_seconds" integer NOT NULL,
	"concurrency_policy" text NOT NULL,
	"suspend" boolean NOT NULL,
	"history_limit" smallint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_until" timestamp (3) with time zone NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"missed_runs" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_runs_newest" ON "schedule_runs" USING btree ("schedule_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_slot" ON "schedule_runs" USING btree ("schedule_id","scheduled_at");--> statement-breakpoint
CREATE INDEX "schedules_account" ON "schedules" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_run_at") WHERE next_run_at is not null;