-- The quota: how many scans an account may start in a calendar month (UTC). The table `plans` has the limits, and `usage`
-- what was started.

CREATE OR REPLACE FUNCTION quota_month(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM');
$$;

-- Seconds from the moment to the next month. At least 1.
CREATE OR REPLACE FUNCTION quota_renewed_in(p_at timestamptz) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(1, ceil(extract(epoch FROM
    (date_trunc('month', p_at AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' - p_at)))::integer;
$$;

-- The account's own quota, or else that of its plan; NULL: unlimited. A suspended account has none, nor has a plan that is not in
-- the table.
CREATE OR REPLACE FUNCTION quota_of(p_account uuid) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.name IS NULL OR a.suspended_at IS NOT NULL THEN 0
    ELSE coalesce(a.scans_per_month, p.scans_per_month) END
  FROM accounts a LEFT JOIN plans p ON p.name = a.plan WHERE a.id = p_account;
$$;

-- Whether charge_scan would refuse at this moment. Takes no lock: only charge_scan decides.
CREATE OR REPLACE FUNCTION is_quota_exceeded(p_account uuid, p_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(quota_of(p_account) <= (
    SELECT coalesce(sum(started), 0) FROM usage WHERE account_id = p_account AND month = quota_month(p_at)
  ), false);
$$;

-- Counts a scan against the month. Returns the shard that counts it; NULL, and counts nothing, when the quota is used up.
CREATE OR REPLACE FUNCTION charge_scan(p_account uuid, p_month text) RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE
  v_quota CONSTANT integer := quota_of(p_account);
  -- Without a quota each connection counts in a shard of its own, so that none waits for another's commit.
  v_shard CONSTANT smallint := CASE WHEN v_quota IS NULL THEN pg_backend_pid() % 16 ELSE 0 END;
  v_elsewhere bigint := 0; -- from before the account had a quota
BEGIN
  IF v_quota IS NOT NULL THEN
    SELECT coalesce(sum(started), 0) INTO v_elsewhere FROM usage
    WHERE account_id = p_account AND month = p_month AND shard <> v_shard;
  END IF;

  INSERT INTO usage AS charged (account_id, month, shard, started)
  SELECT p_account, p_month, v_shard, 1 WHERE v_quota IS NULL OR v_elsewhere < v_quota
  ON CONFLICT (account_id, month, shard) DO UPDATE SET started = charged.started + 1
    WHERE v_quota IS NULL OR v_elsewhere + charged.started < v_quota;
  RETURN CASE WHEN FOUND THEN v_shard END;
END $$;

CREATE OR REPLACE FUNCTION refund_scan(p_account uuid, p_month text, p_shard smallint) RETURNS void LANGUAGE sql AS $$
  UPDATE usage SET started = started - 1 WHERE account_id = p_account AND month = p_month AND shard = p_shard;
$$;

-- Called by releases in which the caller passed the quota.
DROP FUNCTION IF EXISTS charge_scan(uuid, text, smallint, integer);
