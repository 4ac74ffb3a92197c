ALTER TABLE "audit_log" ADD COLUMN "key_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_log_oldest" ON "audit_log" USING btree ("at");