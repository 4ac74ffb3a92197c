CREATE TABLE "finding_history" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"finding" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"event" text NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"scan_id" text,
	"reason" text,
	"expires_at" timestamp (3) with time zone,
	"by" text
);
--> statement-breakpoint
CREATE TABLE "finding_transitions" (
	"event" text NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	"is_marked" boolean NOT NULL,
	"is_decision" boolean NOT NULL,
	CONSTRAINT "finding_transitions_event_from_status_pk" PRIMARY KEY("event","from_status")
);
--> statement-breakpoint
CREATE TABLE "findings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"target_id" bigint NOT NULL,
	"finding_id" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"severity" text NOT NULL,
	"confidence" text NOT NULL,
	"category" text NOT NULL,
	"check_id" text NOT NULL,
	"title" text NOT NULL,
	"place" text NOT NULL,
	"seen_at" text[] NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"first_scan_id" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"last_scan_id" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"fixed_at" timestamp (3) with time zone,
	"mark_reason" text,
	"mark_expires_at" timestamp (3) with time zone,
	"mark_by" text,
	CONSTRAINT "findings_identity" UNIQUE("target_id","finding_id")
);
--> statement-breakpoint
CREATE TABLE "target_scores" (
	"target_id" bigint NOT NULL,
	"day" date NOT NULL,
	"scan_id" text NOT NULL,
	"score" smallint NOT NULL,
	"grade" text NOT NULL,
	"open" jsonb NOT NULL,
	CONSTRAINT "target_scores_target_id_day_pk" PRIMARY KEY("target_id","day")
);
--> statement-breakpoint
CREATE TABLE "targets" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"url" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"last_scan_id" text,
	"last_status" text,
	"score" smallint,
	"grade" text,
	"coverage" jsonb,
	"open" jsonb,
	CONSTRAINT "targets_url" UNIQUE("account_id","url")
);
--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "target_id" bigint;--> statement-breakpoint
ALTER TABLE "scans" ADD COLUMN "findings_index" text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE "finding_history" ADD CONSTRAINT "finding_history_finding_findings_id_fk" FOREIGN KEY ("finding") REFERENCES "public"."findings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_target_id_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."targets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "target_scores" ADD CONSTRAINT "target_scores_target_id_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."targets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "targets" ADD CONSTRAINT "targets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "finding_history_finding" ON "finding_history" USING btree ("finding","id");--> statement-breakpoint
CREATE INDEX "findings_account" ON "findings" USING btree ("account_id","status","severity","id");--> statement-breakpoint
CREATE INDEX "findings_target" ON "findings" USING btree ("target_id","status","severity","id");--> statement-breakpoint
CREATE INDEX "findings_category" ON "findings" USING btree ("account_id","category","status","severity","id");--> statement-breakpoint
CREATE INDEX "findings_check" ON "findings" USING btree ("account_id","check_id","status","severity","id");--> statement-breakpoint
CREATE INDEX "findings_expiring" ON "findings" USING btree ("account_id","mark_expires_at") WHERE mark_expires_at is not null;--> statement-breakpoint
CREATE INDEX "targets_changed" ON "targets" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "scans_target" ON "scans" USING btree ("target_id","created_at","id");--> statement-breakpoint
CREATE INDEX "scans_score" ON "scans" USING btree ("account_id","score","created_at","id") WHERE score is not null;--> statement-breakpoint
CREATE INDEX "scans_grade" ON "scans" USING btree ("account_id","grade","created_at","id") WHERE grade is not null;--> statement-breakpoint
CREATE INDEX "scans_context" ON "scans" USING btree ("account_id","context","created_at","id") WHERE context is not null;--> statement-breakpoint
CREATE INDEX "scans_failed" ON "scans" USING btree ("account_id","created_at","id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "scans_unindexed" ON "scans" USING btree ("account_id","url","ended_at") WHERE status = 'completed' and findings_index = 'pending';