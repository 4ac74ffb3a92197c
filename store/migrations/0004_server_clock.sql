-- Moments come from the server's clock (NULL) and no longer from the clients': leases of workers whose clocks differ
-- would overlap. Only tests, and clients of the version before, pass one.

-- Records how a scan ended: with a report (p_body), or with a failure. False when it had already ended.
CREATE OR REPLACE FUNCTION end_scan(
  p_id text, p_now timestamptz, p_score smallint, p_grade text, p_findings integer, p_body text,
  p_failure_code text, p_failure_message text, p_give_back boolean
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
BEGIN
  UPDATE scans SET
    status = CASE WHEN p_failure_code IS NULL THEN 'completed' ELSE 'failed' END, ended_at = coalesce(p_now, now()),
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
CREATE OR REPLACE FUNCTION remove_scan(p_account uuid, p_id text, p_now timestamptz, p_code text, p_message text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_shard smallint;
BEGIN
  UPDATE scans SET status = 'failed', ended_at = coalesce(p_now, now()), failure_code = p_code, failure_message = p_message,
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
CREATE OR REPLACE FUNCTION claim_scan(p_worker text, p_now timestamptz, p_lease_seconds double precision)
RETURNS SETOF scans LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('glovebox.claim_scan'));
  v_now := coalesce(p_now, clock_timestamp()); -- not from before the wait

  RETURN QUERY
  WITH running AS (
    SELECT account_id, count(*) AS scans FROM scans
    WHERE status = 'processing' AND lease_until > v_now GROUP BY account_id
  ), next AS (
    SELECT waiting.id FROM scans AS waiting LEFT JOIN running USING (account_id)
    WHERE waiting.status = 'processing' AND (waiting.lease_until IS NULL OR waiting.lease_until <= v_now)
    ORDER BY coalesce(running.scans, 0), waiting.created_at, waiting.id
    LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED
  )
  UPDATE scans SET worker = p_worker, lease_until = v_now + make_interval(secs => p_lease_seconds),
    attempts = attempts + 1
  FROM next WHERE scans.id = next.id RETURNING scans.*;
END $$;
