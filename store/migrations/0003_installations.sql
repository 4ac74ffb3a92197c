CREATE TABLE "installations" (
	"id" text PRIMARY KEY NOT NULL,
	"known_since" timestamp (3) with time zone DEFAULT now() NOT NULL
);
