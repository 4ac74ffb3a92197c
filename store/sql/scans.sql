-- The writes of a scan that affect several tables: one transaction and one round trip each. NULL as the time means the time of
-- the server; only tests pass one.

-- Claims a client's Idempotency-Key for a new scan. Returns no outcome if the key was free; else 'replayed' with the scan that
-- the key started, or 'conflict'. Of two identical concurrent requests, the second waits here for the first.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
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

CREATE OR REPLACE FUNCTION count_scans(p_account uuid, p_shard smallint, p_change integer) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO scan_counts AS counted (account_id, shard, scans) VALUES (p_account, p_shard, p_change)
  ON CONFLICT (account_id, shard) DO UPDATE SET scans = counted.scans + p_change;
$$;

-- Idempotency, charge, row with its identities (names and ciphertext), and entry in the audit log. Outcome: created, replayed
-- (with the earlier scan), conflict, quotaExceeded (with the seconds until it is renewed).
DROP FUNCTION IF EXISTS start_scan(text, uuid, text, text, text, timestamptz, text, text, text, jsonb);
DROP FUNCTION IF EXISTS start_scan(
  text, uuid, text, text, text, timestamptz, text, text, text, jsonb, text[], text[], text[], text
);
CREATE OR REPLACE FUNCTION start_scan(
  p_id text, p_account uuid, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_key text, p_digest text, p_installation text, p_actor jsonb,
  p_include text[], p_exclude text[], p_identity_names text[], p_identities text, p_mode text,
  OUT outcome text, OUT scan scans, OUT renewed_in integer
) LANGUAGE plpgsql AS $$
DECLARE
  v_at CONSTANT timestamptz := coalesce(p_now, now());
  v_month CONSTANT text := quota_month(v_at);
  v_shard smallint;
  v_earlier text;
BEGIN

  IF p_key IS NOT NULL THEN
    SELECT held.outcome, held.scan INTO outcome, v_earlier
    FROM claim_idempotency_key(p_account, p_key, p_digest, p_id, v_at) AS held;
    IF outcome = 'replayed' THEN
      SELECT * INTO scan FROM scans WHERE id = v_earlier;
    END IF;
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;

  v_shard := charge_scan(p_account, v_month);
  IF v_shard IS NULL THEN
    DELETE FROM idempotency WHERE account_id = p_account AND key = p_key;
    outcome := 'quotaExceeded';
    renewed_in := quota_renewed_in(v_at);
    RETURN;
  END IF;

  INSERT INTO scans
    (id, account_id, url, spec_url, context, include, exclude, identity_names, mode, seed, created_at, charged_month,
      charged_shard, installation, target_id)
  VALUES (p_id, p_account, p_url, p_spec_url, p_context, p_include, p_exclude, p_identity_names, p_mode,
    CASE WHEN p_mode IS NOT NULL THEN replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') END,
    v_at, v_month, v_shard, p_installation, target_of(p_account, p_url, v_at))
  RETURNING * INTO scan;
  IF p_identities IS NOT NULL THEN
    INSERT INTO scan_identities (scan_id, ciphertext) VALUES (p_id, p_identities);
  END IF;
  PERFORM count_scans(p_account, v_shard, 1);
  PERFORM write_audit(p_actor, p_account, 'scan.start', p_id, NULL,
    jsonb_strip_nulls(jsonb_build_object('url', p_url, 'specUrl', p_spec_url, 'context', p_context, 'include', p_include,
      'exclude', p_exclude, 'identityNames', p_identity_names, 'mode', p_mode)), v_at);
  outcome := 'created';
END $$;

-- The result that start_scan would return now without creating a scan; NULL if it would create one. Writes nothing and takes
-- no lock.
CREATE OR REPLACE FUNCTION foresee_scan(
  p_account uuid, p_now timestamptz, p_key text, p_digest text,
  OUT outcome text, OUT scan text, OUT at timestamptz, OUT renewed_in integer
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

  IF outcome IS NULL AND is_quota_exceeded(p_account, at) THEN
    outcome := 'quotaExceeded';
    renewed_in := quota_renewed_in(at);
  END IF;
END $$;

-- Inserts the row of a Scan that was applied by a user: adopted, known, unknownAccount, activeModeForbidden, quotaExceeded (with the
-- plan and its quota). The scan counts as launched, and the row is bound to this resource.
DROP FUNCTION IF EXISTS adopt_scan(text, text, text, text, text, timestamptz, text, text, text, jsonb);
DROP FUNCTION IF EXISTS adopt_scan(
  text, text, text, text, text, timestamptz, text, text, text, jsonb, text[], text[]
);
CREATE OR REPLACE FUNCTION adopt_scan(
  p_id text, p_account text, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_uid text, p_namespace text, p_installation text, p_actor jsonb, p_include text[], p_exclude text[], p_mode text,
  OUT outcome text, OUT plan text, OUT scans_per_month integer
) LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
  v_may_write boolean;
BEGIN
  outcome := 'known';
  IF EXISTS (SELECT FROM scans WHERE id = p_id) THEN RETURN; END IF;

  SELECT a.id, a.plan, quota_of(a.id), a.active_mode INTO v_account, plan, scans_per_month, v_may_write
  FROM accounts a WHERE a.name = p_account;
  IF NOT FOUND THEN
    outcome := 'unknownAccount';
    RETURN;
  END IF;
  IF p_mode = 'active' AND NOT v_may_write THEN
    outcome := 'activeModeForbidden';
    RETURN;
  END IF;

  SELECT submitted.outcome INTO outcome FROM start_scan(
    p_id, v_account, p_url, p_spec_url, p_context, p_now, NULL, NULL, p_installation, p_actor, p_include, p_exclude, NULL, NULL,
    p_mode
  ) AS submitted;
  IF outcome = 'quotaExceeded' THEN RETURN; END IF;

  UPDATE scans SET launched_at = coalesce(p_now, now()), resource_uid = p_uid, resource_namespace = p_namespace
  WHERE id = p_id;
  outcome := 'adopted';
EXCEPTION WHEN unique_violation THEN -- adopted concurrently: that charge counts, this one is rolled back
  outcome := 'known';
END $$;

-- The scans that are claimed, and those that may be: of each account and host the oldest p_per_host, because no more of them can
-- run at once. Until the transaction ends no other worker claims, so that each claim sees the previous ones.
CREATE OR REPLACE FUNCTION claimable_scans(p_now timestamptz, p_per_host integer)
RETURNS TABLE (id text, account_id uuid, host text, created_at timestamptz, is_claimed boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('glovebox.claim_scan'));
  v_now := coalesce(p_now, clock_timestamp()); -- after the wait for the lock

  RETURN QUERY
  WITH processing AS (
    SELECT s.id, s.account_id, substring(s.url from '^[a-z]+://(\[[^]]*\]|[^/:?#]*)') AS host, s.created_at,
      coalesce(s.lease_until > v_now, false) AS is_claimed
    FROM scans s WHERE s.status = 'processing'
  ), ranked AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.account_id, p.host, p.is_claimed ORDER BY p.created_at, p.id) AS rank
    FROM processing p
  )
  SELECT r.id, r.account_id, r.host, r.created_at, r.is_claimed FROM ranked r
  WHERE r.is_claimed OR r.rank <= p_per_host;
END $$;

-- Claims a scan that claimable_scans returned in this transaction.
CREATE OR REPLACE FUNCTION claim_scan(p_id text, p_worker text, p_now timestamptz, p_lease_seconds double precision)
RETURNS SETOF scans LANGUAGE sql AS $$
  UPDATE scans SET worker = p_worker, attempts = attempts + 1,
    lease_until = coalesce(p_now, clock_timestamp()) + make_interval(secs => p_lease_seconds)
  WHERE id = p_id AND status = 'processing' RETURNING scans.*;
$$;

-- In the transaction in which a scan ends: deletes its identities, which no attempt needs any more.
CREATE OR REPLACE FUNCTION delete_identities(p_scan text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM scan_identities WHERE scan_id = p_scan;
$$;

-- In the transaction in which a scan ends: wakes those who wait for it, and enqueues its events.
CREATE OR REPLACE FUNCTION announce_end(p_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('glovebox', jsonb_build_object('type', 'scanEnded', 'id', p_id)::text);
  PERFORM enqueue_scan_events(p_id);
END $$;

-- Records how a scan ended: with a report (p_body and p_packed), or with a failure. False when it had already ended. Releases
-- without findings over time pass no p_index, those without reasons of failures no p_failure_reason, and those that store
-- reports as text alone no p_packed; these read p_body.
DROP FUNCTION IF EXISTS end_scan(text, timestamptz, smallint, text, integer, text, text, text, boolean);
DROP FUNCTION IF EXISTS end_scan(text, timestamptz, smallint, text, integer, text, text, text, boolean, text);
DROP FUNCTION IF EXISTS end_scan(text, timestamptz, smallint, text, integer, text, text, text, boolean, text, text);
CREATE OR REPLACE FUNCTION end_scan(
  p_id text, p_now timestamptz, p_score smallint, p_grade text, p_findings integer, p_body text,
  p_failure_code text, p_failure_message text, p_give_back boolean, p_index text DEFAULT NULL,
  p_failure_reason text DEFAULT NULL, p_packed bytea DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
BEGIN
  UPDATE scans SET
    status = CASE WHEN p_failure_code IS NULL THEN 'completed' ELSE 'failed' END, ended_at = coalesce(p_now, now()),
    score = p_score, grade = p_grade, findings_count = p_findings,
    failure_code = p_failure_code, failure_message = p_failure_message, failure_reason = p_failure_reason,
    seed = NULL, worker = NULL, lease_until = NULL
  WHERE id = p_id AND status = 'processing' RETURNING * INTO v_scan;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM delete_identities(p_id);

  IF p_body IS NOT NULL THEN
    INSERT INTO reports (scan_id, body, packed) VALUES (p_id, p_body, p_packed);
    DELETE FROM scan_writes WHERE scan_id = p_id; -- they are in the report
  END IF;
  IF p_give_back THEN
    PERFORM refund_scan(v_scan.account_id, v_scan.charged_month, v_scan.charged_shard);
  END IF;
  PERFORM note_end(v_scan, p_index);
  PERFORM announce_end(p_id);
  RETURN true;
END $$;

-- Cancels a processing scan; false when there is none.
CREATE OR REPLACE FUNCTION cancel_scan(p_account uuid, p_id text, p_now timestamptz, p_code text, p_message text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
BEGIN
  UPDATE scans SET status = 'failed', ended_at = coalesce(p_now, now()), failure_code = p_code, failure_message = p_message,
    seed = NULL, worker = NULL, lease_until = NULL
  WHERE id = p_id AND account_id = p_account AND status = 'processing' RETURNING * INTO v_scan;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM delete_identities(p_id);
  PERFORM note_end(v_scan, NULL);
  PERFORM announce_end(p_id);
  RETURN true;
END $$;

-- Cancels a processing scan, erases an ended one: cancelled, erased, missing. The findings of a target go with its last scan.
CREATE OR REPLACE FUNCTION remove_scan(p_account uuid, p_id text, p_now timestamptz, p_code text, p_message text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
BEGIN
  IF cancel_scan(p_account, p_id, p_now, p_code, p_message) THEN RETURN 'cancelled'; END IF;

  DELETE FROM scans WHERE id = p_id AND account_id = p_account RETURNING * INTO v_scan;
  IF NOT FOUND THEN RETURN 'missing'; END IF;
  DELETE FROM targets WHERE id = v_scan.target_id AND NOT EXISTS (SELECT FROM scans WHERE target_id = v_scan.target_id);
  PERFORM count_scans(p_account, v_scan.charged_shard, -1);
  RETURN 'erased';
END $$;
