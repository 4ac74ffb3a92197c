-- Takes in a scan that was asked for otherwise than by a request: adopted, known, unknownAccount, quotaExceeded.
-- What asked for it is there already, so that it counts as launched.
CREATE FUNCTION adopt_scan(
  p_id text, p_account text, p_url text, p_spec_url text, p_context text, p_now timestamptz, p_month text,
  p_quota integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
  v_outcome text;
BEGIN
  IF EXISTS (SELECT FROM scans WHERE id = p_id) THEN RETURN 'known'; END IF;

  SELECT id INTO v_account FROM accounts WHERE name = p_account;
  IF NOT FOUND THEN RETURN 'unknownAccount'; END IF;

  SELECT submitted.outcome INTO v_outcome
  FROM submit_scan(p_id, v_account, p_url, p_spec_url, p_context, p_now, p_month, p_quota, NULL, NULL) AS submitted;
  IF v_outcome = 'quotaExceeded' THEN RETURN v_outcome; END IF;

  UPDATE scans SET launched_at = p_now WHERE id = p_id;
  RETURN 'adopted';
EXCEPTION WHEN unique_violation THEN -- adopted by another at the same time: its charge stands, this one is undone
  RETURN 'known';
END $$;
