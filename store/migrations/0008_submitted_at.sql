-- Moments, and the month that is charged, come from the server's clock (NULL), and the caller is told the moment.

DROP FUNCTION submit_scan(text, uuid, text, text, text, timestamptz, text, integer, text, text, text);
--> statement-breakpoint

-- Idempotency, charge and row. Outcome: created, replayed (with the earlier scan), conflict, quotaExceeded; and when.
CREATE FUNCTION submit_scan(
  p_id text, p_account uuid, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_month text, p_quota integer, p_key text, p_digest text, p_installation text DEFAULT NULL,
  OUT outcome text, OUT scan text, OUT at timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  -- Without a quota each connection counts in a shard of its own, so that none waits for another's commit.
  v_shard CONSTANT smallint := CASE WHEN p_quota IS NULL THEN pg_backend_pid() % 16 ELSE 0 END;
  v_month text;
BEGIN
  at := coalesce(p_now, now());
  v_month := coalesce(p_month, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM'));

  IF p_key IS NOT NULL THEN
    SELECT held.outcome, held.scan INTO outcome, scan
    FROM claim_idempotency_key(p_account, p_key, p_digest, p_id, at) AS held;
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;

  IF NOT charge_scan(p_account, v_month, v_shard, p_quota) THEN
    DELETE FROM idempotency WHERE account_id = p_account AND key = p_key;
    outcome := 'quotaExceeded';
    RETURN;
  END IF;

  INSERT INTO scans
    (id, account_id, url, spec_url, context, created_at, charged_month, charged_shard, installation)
  VALUES (p_id, p_account, p_url, p_spec_url, p_context, at, v_month, v_shard, p_installation);
  PERFORM count_scans(p_account, v_shard, 1);
  outcome := 'created';
  scan := p_id;
END $$;
--> statement-breakpoint

-- Takes in a scan that was asked for otherwise than by a request: adopted, known, unknownAccount, quotaExceeded.
-- What asked for it is there already, so that it counts as launched, and the row is of that resource and no other.
CREATE OR REPLACE FUNCTION adopt_scan(
  p_id text, p_account text, p_url text, p_spec_url text, p_context text, p_now timestamptz, p_month text,
  p_quota integer, p_uid text DEFAULT NULL, p_namespace text DEFAULT NULL, p_installation text DEFAULT NULL
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
  v_outcome text;
BEGIN
  IF EXISTS (SELECT FROM scans WHERE id = p_id) THEN RETURN 'known'; END IF;

  SELECT id INTO v_account FROM accounts WHERE name = p_account;
  IF NOT FOUND THEN RETURN 'unknownAccount'; END IF;

  SELECT submitted.outcome INTO v_outcome FROM submit_scan(
    p_id, v_account, p_url, p_spec_url, p_context, p_now, p_month, p_quota, NULL, NULL, p_installation
  ) AS submitted;
  IF v_outcome = 'quotaExceeded' THEN RETURN v_outcome; END IF;

  UPDATE scans SET launched_at = coalesce(p_now, now()), resource_uid = p_uid, resource_namespace = p_namespace
  WHERE id = p_id;
  RETURN 'adopted';
EXCEPTION WHEN unique_violation THEN -- adopted by another at the same time: its charge stands, this one is undone
  RETURN 'known';
END $$;
--> statement-breakpoint

DROP FUNCTION foresee_scan(uuid, timestamptz, integer, text, text);
--> statement-breakpoint

-- What submit_scan would answer at this moment where it would create nothing: replayed (with the earlier scan), conflict,
-- quotaExceeded; NULL where it would; and when. Writes nothing, and waits for nobody.
CREATE FUNCTION foresee_scan(
  p_account uuid, p_now timestamptz, p_quota integer, p_key text, p_digest text, OUT outcome text, OUT scan text,
  OUT at timestamptz
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_digest text;
BEGIN
  at := coalesce(p_now, now());
  IF p_key IS NOT NULL THEN
    SELECT body_digest, scan_id INTO v_digest, scan FROM idempotency
    WHERE account_id = p_account AND key = p_key AND created_at > at - interval '24 hours';
    IF v_digest <> p_digest THEN
      outcome := 'conflict';
    ELSIF EXISTS (SELECT FROM scans WHERE id = scan) THEN
      outcome := 'replayed';
    END IF;
  END IF;

  IF outcome IS NULL AND p_quota <= (
    SELECT coalesce(sum(started), 0) FROM usage
    WHERE account_id = p_account AND month = to_char(at AT TIME ZONE 'UTC', 'YYYY-MM')
  ) THEN
    outcome := 'quotaExceeded';
  END IF;
END $$;
