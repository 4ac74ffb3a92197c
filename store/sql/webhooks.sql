-- Deliveries of events to webhooks: enqueued, claimed, recorded. NULL as the time means the time of the server; only tests pass
-- one.

-- Enqueues the events of a scan that has just ended, in its transaction. Whether it regressed is decided at the first attempt,
-- because that takes both reports; an account's event ids are the same for all of its webhooks.
CREATE OR REPLACE FUNCTION enqueue_scan_events(p_scan text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
  v_previous text;
BEGIN
  SELECT * INTO v_scan FROM scans WHERE id = p_scan;
  IF NOT EXISTS (SELECT FROM webhooks WHERE account_id = v_scan.account_id AND disabled_at IS NULL) THEN RETURN; END IF;

  IF v_scan.status = 'completed' THEN
    SELECT id INTO v_previous FROM scans
    WHERE target_id = v_scan.target_id AND status = 'completed' AND (created_at, id) < (v_scan.created_at, p_scan)
    ORDER BY created_at DESC, id DESC LIMIT 1;
  END IF;

  INSERT INTO webhook_deliveries
    (webhook_id, account_id, event_id, event, scan_id, previous_scan_id, next_attempt_at, created_at)
  SELECT w.id, w.account_id, p_scan || '-' || split_part(occurred.event, '.', 2), occurred.event, p_scan,
    occurred.previous, v_scan.ended_at, v_scan.ended_at
  FROM webhooks w JOIN (
    SELECT 'scan.' || v_scan.status, NULL UNION ALL SELECT 'scan.regressed', v_previous WHERE v_previous IS NOT NULL
  ) AS occurred (event, previous) ON occurred.event = ANY (w.events)
  WHERE w.account_id = v_scan.account_id AND w.disabled_at IS NULL;
  IF FOUND THEN PERFORM announce_delivery(); END IF;
END $$;

CREATE OR REPLACE FUNCTION announce_delivery() RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('glovebox', '{"type":"deliveryDue"}');
$$;

-- Claims due deliveries for an attempt each, the accounts with the fewest under way first, and never more than p_per_account and
-- p_per_webhook at a time over all processes. One that is not recorded within p_seconds is due again. Serialized, so that each
-- claim sees the previous ones.
CREATE OR REPLACE FUNCTION claim_webhook_deliveries(
  p_now timestamptz, p_seconds double precision, p_limit integer, p_per_account integer, p_per_webhook integer
) RETURNS SETOF webhook_deliveries LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('glovebox.claim_webhook_deliveries'));
  v_now := coalesce(p_now, clock_timestamp()); -- after the wait for the lock

  RETURN QUERY
  WITH busy AS (
    SELECT account_id, webhook_id, count(*) AS attempts FROM webhook_deliveries
    WHERE claimed_until IS NOT NULL AND claimed_until > v_now GROUP BY account_id, webhook_id
  ), due AS (
    SELECT waiting.id, waiting.next_attempt_at,
      coalesce((SELECT sum(busy.attempts) FROM busy WHERE busy.account_id = w.account_id), 0)
        + row_number() OVER (PARTITION BY w.account_id ORDER BY waiting.next_attempt_at, waiting.id) AS turn
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_attempt_at <= v_now
      ORDER BY d.next_attempt_at, d.id
      LIMIT greatest(0, p_per_webhook - coalesce((SELECT busy.attempts FROM busy WHERE busy.webhook_id = w.id), 0))
      FOR UPDATE SKIP LOCKED
    ) AS waiting
  ), chosen AS (
    SELECT due.id FROM due WHERE due.turn <= p_per_account ORDER BY due.turn, due.next_attempt_at, due.id LIMIT p_limit
  )
  UPDATE webhook_deliveries AS claimed SET attempts = claimed.attempts + 1,
    claimed_until = v_now + make_interval(secs => p_seconds), next_attempt_at = v_now + make_interval(secs => p_seconds)
  FROM chosen WHERE claimed.id = chosen.id RETURNING claimed.*;
END $$;

-- Disables a webhook, and gives up what waits for it.
CREATE OR REPLACE FUNCTION disable_webhook(p_webhook uuid, p_now timestamptz, p_reason text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhooks SET disabled_at = coalesce(p_now, now()), disabled_reason = p_reason
  WHERE id = p_webhook AND disabled_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE webhook_deliveries SET status = 'failed', claimed_until = NULL, ended_at = coalesce(p_now, now()),
    last_error = coalesce(last_error, 'The webhook was disabled.')
  WHERE webhook_id = p_webhook AND status = 'pending';
END $$;

-- Records an attempt. p_retry_seconds: until the next one, NULL for none. A webhook that answered nothing but errors for
-- p_patience_seconds is disabled when an event is given up; with p_disable, at once. An attempt that is no longer the last one
-- changes nothing.
CREATE OR REPLACE FUNCTION record_webhook_attempt(
  p_delivery uuid, p_attempt smallint, p_now timestamptz, p_payload text, p_status smallint, p_error text,
  p_retry_seconds double precision, p_patience_seconds double precision, p_disable text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_webhook uuid;
  v_failing_since timestamptz;
BEGIN
  -- The webhook first, as whoever disables it does: in the other order the two would wait for each other.
  PERFORM FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE d.id = p_delivery
  FOR NO KEY UPDATE OF w;
  UPDATE webhook_deliveries SET payload = p_payload, claimed_until = NULL, last_status = p_status, last_error = p_error,
    status = CASE WHEN p_error IS NULL THEN 'delivered' WHEN p_retry_seconds IS NULL THEN 'failed' ELSE 'pending' END,
    ended_at = CASE WHEN p_error IS NULL OR p_retry_seconds IS NULL THEN v_now END,
    next_attempt_at = v_now + make_interval(secs => coalesce(p_retry_seconds, 0))
  WHERE id = p_delivery AND status = 'pending' AND attempts = p_attempt RETURNING webhook_id INTO v_webhook;
  IF NOT FOUND THEN RETURN; END IF;

  IF p_error IS NULL THEN
    UPDATE webhooks SET failing_since = NULL WHERE id = v_webhook AND failing_since IS NOT NULL;
    RETURN;
  END IF;
  UPDATE webhooks SET failing_since = v_now WHERE id = v_webhook AND failing_since IS NULL;
  SELECT failing_since INTO v_failing_since FROM webhooks WHERE id = v_webhook;
  IF p_disable IS NOT NULL THEN
    PERFORM disable_webhook(v_webhook, v_now, p_disable);
  ELSIF p_retry_seconds IS NULL AND v_failing_since <= v_now - make_interval(secs => p_patience_seconds) THEN
    PERFORM disable_webhook(v_webhook, v_now, format('No delivery succeeded since %s. The last error: %s',
      to_char(v_failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), p_error));
  END IF;
END $$;

-- Deletes one batch of deliveries that are older than so many days, and returns their number.
CREATE OR REPLACE FUNCTION delete_old_webhook_deliveries(p_days integer, p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_deleted integer;
BEGIN
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM accounts a CROSS JOIN LATERAL (
      SELECT d.ctid AS place FROM webhook_deliveries d
      WHERE d.account_id = a.id AND d.created_at < coalesce(p_now, now()) - make_interval(days => p_days)
      ORDER BY d.created_at LIMIT p_limit FOR UPDATE SKIP LOCKED
    ) AS old LIMIT p_limit
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;
