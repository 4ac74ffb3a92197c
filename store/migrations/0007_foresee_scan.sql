-- What submit_scan would answer at this moment where it would create nothing: replayed (with the earlier scan), conflict,
-- quotaExceeded; NULL where it would. Writes nothing, and waits for nobody.
CREATE FUNCTION foresee_scan(
  p_account uuid, p_now timestamptz, p_quota integer, p_key text, p_digest text, OUT outcome text, OUT scan text
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_digest text;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT body_digest, scan_id INTO v_digest, scan FROM idempotency
    WHERE account_id = p_account AND key = p_key AND created_at > v_now - interval '24 hours';
    IF v_digest <> p_digest THEN
      outcome := 'conflict';
    ELSIF EXISTS (SELECT FROM scans WHERE id = scan) THEN
      outcome := 'replayed';
    END IF;
  END IF;

  IF outcome IS NULL AND p_quota <= (
    SELECT coalesce(sum(started), 0) FROM usage
    WHERE account_id = p_account AND month = to_char(v_now AT TIME ZONE 'UTC', 'YYYY-MM')
  ) THEN
    outcome := 'quotaExceeded';
  END IF;
END $$;
