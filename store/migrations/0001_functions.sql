-- What must happen in one transaction over several tables, in one round trip. Text and times come from the caller.

-- Claims a client's Idempotency-Key for a new scan. Returns nothing when it was free; else 'replayed' with the scan
-- that it started, or 'conflict'. Of two identical requests at once, the second waits here for the first.
CREATE FUNCTION claim_idempotency_key(
  p_account uuid, p_key text, p_digest text, p_scan text, p_now timestamptz, OUT outcome text, OUT scan text
) LANGUAGE plpgsql AS $$
DECLARE
  v_digest text;
BEGIN
  DELETE FROM idempotency WHERE ctid IN (
    SELECT ctid FROM idempotency
    WHERE account_id = p_account AND created_at <= p_now - interval '24 hours' AND key <> p_key
    ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED
  );

  INSERT INTO idempotency AS held (account_id, key, body_digest, scan_id, created_at)
  VALUES (p_account, p_key, p_digest, p_scan, p_now)
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_digest = excluded.body_digest, scan_id = excluded.scan_id, created_at = excluded.created_at
    WHERE held.created_at <= p_now - interval '24 hours';
  IF FOUND THEN RETURN; END IF;

  SELECT body_digest, scan_id INTO v_digest, scan FROM idempotency WHERE account_id = p_account AND key = p_key;
  IF v_digest <> p_digest THEN
    outcome := 'conflict';
  ELSIF EXISTS (SELECT FROM scans WHERE id = scan) THEN
    outcome := 'replayed';
  ELSE -- its scan was erased: the key is free again
    UPDATE idempotency SET scan_id = p_scan, created_at = p_now WHERE account_id = p_account AND key = p_key;
  END IF;
END $$;
--> statement-breakpoint

-- Counts a scan against the month. Returns false, and counts nothing, when the quota (NULL: none) is used up.
CREATE FUNCTION charge_scan(p_account uuid, p_month text, p_shard smallint, p_quota integer)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_elsewhere bigint := 0; -- from before the account had a quota
BEGIN
  IF p_quota IS NOT NULL THEN
    SELECT coalesce(sum(started), 0) INTO v_elsewhere FROM usage
    WHERE account_id = p_account AND month = p_month AND shard <> p_shard;
  END IF;

  INSERT INTO usage AS charged (account_id, month, shard, started)
  SELECT p_account, p_month, p_shard, 1 WHERE p_quota IS NULL OR v_elsewhere < p_quota
  ON CONFLICT (account_id, month, shard) DO UPDATE SET started = charged.started + 1
    WHERE p_quota IS NULL OR v_elsewhere + charged.started < p_quota;
  RETURN FOUND;
END $$;
--> statement-breakpoint

CREATE FUNCTION count_scans(p_account uuid, p_shard smallint, p_change integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO scan_counts AS counted (account_id, shard, scans) VALUES (p_account, p_shard, p_change)
  ON CONFLICT (account_id, shard) DO UPDATE SET scans = counted.scans + p_change;
$$;
--> statement-breakpoint

-- Idempotency, charge and row. Outcome: created, replayed (with the earlier scan), conflict, quotaExceeded.
CREATE FUNCTION submit_scan(
  p_id text, p_account uuid, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_month text, p_quota integer, p_key text, p_digest text, OUT outcome text, OUT scan text
) LANGUAGE plpgsql AS $$
DECLARE
  -- Without a quota each connection counts in a shard of its own, so that none waits for another's commit.
  v_shard CONSTANT smallint := CASE WHEN p_quota IS NULL THEN pg_backend_pid() % 16 ELSE 0 END;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT held.outcome, held.scan INTO outcome, scan
    FROM claim_idempotency_key(p_account, p_key, p_digest, p_id, p_now) AS held;
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;

  IF NOT charge_scan(p_account, p_month, v_shard, p_quota) THEN
    DELETE FROM idempotency WHERE account_id = p_account AND key = p_key;
    outcome := 'quotaExceeded';
    RETURN;
  END IF;

  INSERT INTO scans (id, account_id, url, spec_url, context, created_at, charged_month, charged_shard)
  VALUES (p_id, p_account, p_url, p_spec_url, p_context, p_now, p_month, v_shard);
  PERFORM count_scans(p_account, v_shard, 1);
  outcome := 'created';
  scan := p_id;
END $$;
--> statement-breakpoint

CREATE FUNCTION announce_end(p_id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('glovebox', jsonb_build_object('type', 'scanEnded', 'id', p_id)::text);
$$;
--> statement-breakpoint

-- Records how a scan ended: with a report (p_body), or with a failure. False when it had already ended.
CREATE FUNCTION end_scan(
  p_id text, p_now timestamptz, p_score smallint, p_grade text, p_findings integer, p_body text,
  p_failure_code text, p_failure_message text, p_give_back boolean
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
BEGIN
  UPDATE scans SET
    status = CASE WHEN p_failure_code IS NULL THEN 'completed' ELSE 'failed' END, ended_at = p_now,
    score = p_score, grade = p_grade, findings_count = p_findings,
    failure_code = p_failure_code, failure_message = p_failure_message, worker = NULL, lease_until = NULL
  WHERE id = p_id AND status = 'processing' RETURNING * INTO v_scan;
  IF NOT FOUND THEN RETURN false; END IF;

  IF p_body IS NOT NULL THEN
    INSERT INTO reports (scan_id, body) VALUES (p_id, p_body);
  END IF;
  IF p_give_back THEN
    UPDATE usage SET started = started - 1
    WHERE account_id = v_scan.account_id AND month = v_scan.charged_month AND shard = v_scan.charged_shard;
  END IF;
  PERFORM announce_end(p_id);
  RETURN true;
END $$;
--> statement-breakpoint

-- Cancels a processing scan, erases an ended one: cancelled, erased, missing.
CREATE FUNCTION remove_scan(p_account uuid, p_id text, p_now timestamptz, p_code text, p_message text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_shard smallint;
BEGIN
  UPDATE scans SET status = 'failed', ended_at = p_now, failure_code = p_code, failure_message = p_message,
    worker = NULL, lease_until = NULL
  WHERE id = p_id AND account_id = p_account AND status = 'processing';
  IF FOUND THEN
    PERFORM announce_end(p_id);
    RETURN 'cancelled';
  END IF;

  DELETE FROM scans WHERE id = p_id AND account_id = p_account RETURNING charged_shard INTO v_shard;
  IF NOT FOUND THEN RETURN 'missing'; END IF;
  PERFORM count_scans(p_account, v_shard, -1);
  RETURN 'erased';
END $$;
--> statement-breakpoint

-- Takes the next scan that nobody holds. One at a time, so that each sees what the others have just taken.
CREATE FUNCTION claim_scan(p_worker text, p_now timestamptz, p_lease_seconds double precision)
RETURNS SETOF scans LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('glovebox.claim_scan'));

  RETURN QUERY
  WITH running AS (
    SELECT account_id, count(*) AS scans FROM scans
    WHERE status = 'processing' AND lease_until > p_now GROUP BY account_id
  ), next AS (
    SELECT waiting.id FROM scans AS waiting LEFT JOIN running USING (account_id)
    WHERE waiting.status = 'processing' AND (waiting.lease_until IS NULL OR waiting.lease_until <= p_now)
    ORDER BY coalesce(running.scans, 0), waiting.created_at, waiting.id
    LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED
  )
  UPDATE scans SET worker = p_worker, lease_until = p_now + make_interval(secs => p_lease_seconds),
    attempts = attempts + 1
  FROM next WHERE scans.id = next.id RETURNING scans.*;
END $$;
