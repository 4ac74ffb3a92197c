-- Each function deletes one batch of expired rows and returns their number. Rows that another transaction has locked are left
-- for the next batch. NULL as the time means the time of the server; only tests pass one.

-- Scans that ended longer ago than the days of their account's plan, with their reports. Without an entry in p_days, the scans
-- of a plan are kept.
CREATE OR REPLACE FUNCTION delete_old_scans(p_days jsonb, p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_deleted integer;
BEGIN
  WITH gone AS (
    DELETE FROM scans WHERE ctid = ANY (ARRAY(
      SELECT old.place FROM accounts a CROSS JOIN LATERAL (
        SELECT s.ctid AS place FROM scans s
        WHERE s.account_id = a.id AND s.status <> 'processing'
          AND s.ended_at < v_now - make_interval(days => (p_days ->> a.plan)::integer)
        ORDER BY s.ended_at LIMIT p_limit FOR UPDATE SKIP LOCKED
      ) AS old LIMIT p_limit
    )) RETURNING account_id
  ), counted AS (
    -- In a shard of its own: no submission waits for the end of this transaction.
    INSERT INTO scan_counts AS counts (account_id, shard, scans)
    SELECT account_id, 16, -count(*) FROM gone GROUP BY account_id
    ON CONFLICT (account_id, shard) DO UPDATE SET scans = counts.scans + excluded.scans
  )
  SELECT count(*) INTO v_deleted FROM gone;
  RETURN v_deleted;
END $$;

-- Idempotency keys that no longer count.
CREATE OR REPLACE FUNCTION delete_old_idempotency_keys(p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_deleted integer;
BEGIN
  DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM accounts a CROSS JOIN LATERAL (
      SELECT i.ctid AS place FROM idempotency i
      WHERE i.account_id = a.id AND i.created_at <= v_now - interval '24 hours'
      ORDER BY i.created_at LIMIT p_limit FOR UPDATE SKIP LOCKED
    ) AS old LIMIT p_limit
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;

-- Usage of the months that had ended that many days ago.
CREATE OR REPLACE FUNCTION delete_old_usage(p_days integer, p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_oldest CONSTANT text := quota_month(coalesce(p_now, now()) - make_interval(days => p_days));
  v_deleted integer;
BEGIN
  DELETE FROM usage WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM accounts a CROSS JOIN LATERAL (
      SELECT u.ctid AS place FROM usage u WHERE u.account_id = a.id AND u.month < v_oldest
      ORDER BY u.month LIMIT p_limit FOR UPDATE SKIP LOCKED
    ) AS old LIMIT p_limit
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;

-- Targets without a scan, with their findings, that many days after their last scan ended.
CREATE OR REPLACE FUNCTION delete_old_targets(p_days integer, p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_deleted integer;
BEGIN
  DELETE FROM targets WHERE id = ANY (ARRAY(
    SELECT t.id FROM targets t
    WHERE t.changed_at < coalesce(p_now, now()) - make_interval(days => p_days)
      AND NOT EXISTS (SELECT FROM scans s WHERE s.target_id = t.id)
    ORDER BY t.changed_at LIMIT least(p_limit, 20) FOR UPDATE SKIP LOCKED -- each may have thousands of findings
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;

-- Sessions that have ended: after 12 hours without a request (SESSION_IDLE in src/sessions.ts), or at their expiry.
CREATE OR REPLACE FUNCTION delete_old_sessions(p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_deleted integer;
BEGIN
  DELETE FROM sessions WHERE ctid = ANY (ARRAY(
    SELECT s.ctid FROM sessions s WHERE s.expires_at <= v_now OR s.seen_at <= v_now - interval '12 hours'
    LIMIT p_limit FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;

CREATE OR REPLACE FUNCTION delete_old_invitations(p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_deleted integer;
BEGIN
  DELETE FROM invitations WHERE ctid = ANY (ARRAY(
    SELECT i.ctid FROM invitations i WHERE i.expires_at <= coalesce(p_now, now())
    LIMIT p_limit FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;

-- What sign-in keeps until an expiry: challenges, answers of providers, and known browsers.
CREATE OR REPLACE FUNCTION delete_old_challenges(p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_deleted integer;
BEGIN
  WITH old_challenges AS (
    DELETE FROM challenges WHERE ctid = ANY (ARRAY(
      SELECT c.ctid FROM challenges c WHERE c.expires_at <= v_now LIMIT p_limit FOR UPDATE SKIP LOCKED
    )) RETURNING 1
  ), old_answers AS (
    DELETE FROM provider_answers WHERE ctid = ANY (ARRAY(
      SELECT a.ctid FROM provider_answers a WHERE a.expires_at <= v_now LIMIT p_limit FOR UPDATE SKIP LOCKED
    )) RETURNING 1
  ), old_browsers AS (
    DELETE FROM known_browsers WHERE ctid = ANY (ARRAY(
      SELECT b.ctid FROM known_browsers b WHERE b.expires_at <= v_now LIMIT p_limit FOR UPDATE SKIP LOCKED
    )) RETURNING 1
  )
  SELECT count(*) INTO v_deleted
  FROM (TABLE old_challenges UNION ALL TABLE old_answers UNION ALL TABLE old_browsers) AS deleted;
  RETURN v_deleted;
END $$;
