CREATE TABLE "known_browsers" (
	"sha256" char(64) NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_browsers_sha256_user_id_pk" PRIMARY KEY("sha256","user_id")
);
--> statement-breakpoint
CREATE TABLE "provider_answers" (
	"sha256" char(64) PRIMARY KEY NOT NULL,
	"answer" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_browsers_user" ON "known_browsers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "known_browsers_expired" ON "known_browsers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "provider_answers_expired" ON "provider_answers" USING btree ("expires_at");