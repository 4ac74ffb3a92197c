-- Findings over time. A status changes in move_findings alone, by the table `finding_transitions`, which `migrate` fills from
-- domain/src/triage.ts. Locks are taken in one order everywhere: targets, then findings, each by their ids. NULL as the time
-- means the time of the server; only tests pass one.

-- Lower is worse. `migrate` writes severities() and active_statuses() from the lists in TypeScript.
CREATE OR REPLACE FUNCTION severity_rank(p_severity text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_position(severities(), p_severity), cardinality(severities()) + 1);
$$;

-- Of more than 1,000 places in all, those that were seen last.
CREATE OR REPLACE FUNCTION merged_places(p_known text[], p_seen text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN count(*) > 1000 THEN p_seen ELSE array_agg(place ORDER BY place) END
  FROM (SELECT DISTINCT unnest(p_known || p_seen) AS place) AS places;
$$;

-- The row of a target, which is inserted where it is missing.
CREATE OR REPLACE FUNCTION target_of(p_account uuid, p_url text, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
BEGIN
  LOOP
    SELECT id INTO v_id FROM targets WHERE account_id = p_account AND url = p_url;
    IF FOUND THEN RETURN v_id; END IF;
    INSERT INTO targets (account_id, url, changed_at) VALUES (p_account, p_url, p_at)
    ON CONFLICT (account_id, url) DO NOTHING RETURNING id INTO v_id;
    IF FOUND THEN RETURN v_id; END IF; -- else inserted concurrently: read it
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION lock_targets_of(p_findings bigint[]) RETURNS bigint[] LANGUAGE sql AS $$
  SELECT array_agg(id) FROM (
    SELECT t.id FROM targets t
    WHERE t.id IN (SELECT f.target_id FROM findings f WHERE f.id = ANY (p_findings)) ORDER BY t.id FOR UPDATE
  ) AS locked;
$$;

-- An event of these findings: their new status and mark, and the history. Those to which it cannot happen stay as they are.
-- Returns how many have changed. The caller has locked their targets, and counts them anew.
CREATE OR REPLACE FUNCTION move_findings(
  p_findings bigint[], p_event text, p_at timestamptz, p_scan text, p_reason text, p_expires timestamptz, p_by text
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_moved integer;
BEGIN
  WITH due AS (
    SELECT f.id, f.status AS from_status, t.to_status, t.is_marked, t.is_decision
    FROM findings f JOIN finding_transitions t ON t.event = p_event AND t.from_status = f.status
    WHERE f.id = ANY (p_findings) AND (t.to_status <> f.status OR t.is_decision)
    ORDER BY f.id FOR UPDATE OF f
  ), moved AS (
    UPDATE findings f SET
      status = due.to_status,
      opened_at = CASE WHEN due.from_status = 'fixed' THEN p_at ELSE f.opened_at END,
      fixed_at = CASE WHEN due.to_status = 'fixed' THEN p_at END,
      mark_reason = CASE WHEN due.is_marked THEN CASE WHEN due.is_decision THEN p_reason ELSE f.mark_reason END END,
      mark_expires_at = CASE WHEN due.is_marked THEN CASE WHEN due.is_decision THEN p_expires ELSE f.mark_expires_at END END,
      mark_by = CASE WHEN due.is_marked THEN CASE WHEN due.is_decision THEN p_by ELSE f.mark_by END END
    FROM due WHERE f.id = due.id
    RETURNING f.id, due.from_status, due.to_status
  )
  INSERT INTO finding_history (finding, at, event, from_status, to_status, scan_id, reason, expires_at, by)
  SELECT id, p_at, p_event, from_status, to_status, p_scan, p_reason, p_expires, p_by FROM moved ORDER BY id;
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  RETURN v_moved;
END $$;

-- Writes into the targets how many findings they have that are to be dealt with.
CREATE OR REPLACE FUNCTION count_open_findings(p_targets bigint[]) RETURNS void LANGUAGE sql AS $$
  UPDATE targets t SET open = counted.open
  FROM unnest(p_targets) AS of(target) CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(severity, (
      SELECT count(*) FROM findings f
      WHERE f.target_id = of.target AND f.status = ANY (active_statuses()) AND f.severity = each.severity)) AS open
    FROM unnest(severities()) AS each(severity)
  ) AS counted
  WHERE t.id = of.target AND t.open IS DISTINCT FROM counted.open;
$$;

-- A decision about findings of an account, whatever other ids are among them, with an entry in the audit log. Returns how many
-- have changed.
CREATE OR REPLACE FUNCTION decide_findings(
  p_account uuid, p_findings bigint[], p_event text, p_now timestamptz, p_reason text, p_expires timestamptz, p_actor jsonb
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_findings CONSTANT bigint[] := ARRAY(SELECT id FROM findings WHERE id = ANY (p_findings) AND account_id = p_account);
  v_targets CONSTANT bigint[] := lock_targets_of(v_findings);
  v_before CONSTANT jsonb := (SELECT jsonb_object_agg(status, n) FROM (
    SELECT status, count(*) AS n FROM findings WHERE id = ANY (v_findings) GROUP BY status) AS counted);
  v_moved integer;
BEGIN
  -- What was no longer accepted was open to those who decided.
  PERFORM move_findings(
    ARRAY(SELECT id FROM findings WHERE id = ANY (v_findings) AND mark_expires_at <= coalesce(p_now, now())),
    'expired', coalesce(p_now, now()), NULL, NULL, NULL, NULL);
  v_moved := move_findings(
    v_findings, p_event, coalesce(p_now, now()), NULL, p_reason, p_expires, p_actor ->> 'name');
  IF v_moved = 0 THEN RETURN 0; END IF;
  PERFORM count_open_findings(v_targets);
  PERFORM write_audit(
    p_actor, p_account, 'finding.' || p_event,
    (SELECT CASE WHEN count(*) = 1 THEN min(finding_id) ELSE count(*) || ' findings' END FROM findings WHERE id = ANY (v_findings)),
    jsonb_build_object('status', v_before),
    jsonb_strip_nulls(jsonb_build_object('changed', v_moved, 'reason', p_reason, 'expiresAt', p_expires,
      'findings', (SELECT jsonb_agg(id ORDER BY id) FROM (SELECT unnest(v_findings[1:100]) AS id) AS first_ones))),
    p_now);
  RETURN v_moved;
END $$;

-- Opens findings whose acceptance has expired, of one account or, for NULL, of all. Returns how many.
CREATE OR REPLACE FUNCTION expire_acceptances(p_account uuid, p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_findings CONSTANT bigint[] := ARRAY(
    SELECT due.id FROM accounts a CROSS JOIN LATERAL (
      SELECT f.id FROM findings f
      WHERE f.account_id = a.id AND f.mark_expires_at IS NOT NULL AND f.mark_expires_at <= v_now
      ORDER BY f.mark_expires_at LIMIT p_limit
    ) AS due WHERE p_account IS NULL OR a.id = p_account LIMIT p_limit
  );
  v_targets bigint[];
  v_moved integer;
BEGIN
  IF v_findings = '{}' THEN RETURN 0; END IF;
  v_targets := lock_targets_of(v_findings);
  -- What was decided anew while this waited for the lock has not expired.
  v_moved := move_findings(
    ARRAY(SELECT id FROM findings WHERE id = ANY (v_findings) AND mark_expires_at <= v_now),
    'expired', v_now, NULL, NULL, NULL, NULL);
  PERFORM count_open_findings(v_targets);
  RETURN v_moved;
END $$;

-- Writes what a report says into the findings of its target. p_index is a `FindingsChanges` of the contract: the findings of the
-- report, and the places of known findings that it tested and found right (`gone`). The caller has locked the target.
CREATE OR REPLACE FUNCTION index_findings(p_scan scans, p_target bigint, p_index jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_at CONSTANT timestamptz := p_scan.ended_at;
  v_worse bigint[];
  v_seen bigint[];
BEGIN
  PERFORM FROM findings WHERE target_id = p_target AND finding_id IN (
    SELECT value ->> 'id' FROM jsonb_array_elements((p_index -> 'findings') || (p_index -> 'gone'))
  ) ORDER BY id FOR UPDATE;

  PERFORM move_findings(
    ARRAY(SELECT id FROM findings WHERE target_id = p_target AND status = 'accepted' AND mark_expires_at <= v_at),
    'expired', v_at, NULL, NULL, NULL, NULL);

  UPDATE findings f SET seen_at = ARRAY(SELECT unnest(f.seen_at) EXCEPT SELECT unnest(gone.places))
  FROM jsonb_to_recordset(p_index -> 'gone') AS gone(id text, places text[])
  WHERE f.target_id = p_target AND f.finding_id = gone.id;
  PERFORM move_findings(
    ARRAY(
      SELECT f.id FROM findings f JOIN jsonb_array_elements(p_index -> 'gone') AS gone ON gone ->> 'id' = f.finding_id
      WHERE f.target_id = p_target AND f.seen_at = '{}'
        AND NOT EXISTS (SELECT FROM jsonb_array_elements(p_index -> 'findings') AS seen WHERE seen ->> 'id' = f.finding_id)
    ), 'passed', v_at, p_scan.id, NULL, NULL, NULL);

  SELECT coalesce(array_agg(f.id) FILTER (WHERE seen.is_worse), '{}'), coalesce(array_agg(f.id) FILTER (WHERE NOT seen.is_worse), '{}')
  INTO v_worse, v_seen
  FROM findings f CROSS JOIN LATERAL (SELECT severity_rank(s ->> 'severity') < severity_rank(f.severity) AS is_worse
    FROM jsonb_array_elements(p_index -> 'findings') AS s WHERE s ->> 'id' = f.finding_id LIMIT 1) AS seen
  WHERE f.target_id = p_target;

  WITH seen AS (
    SELECT DISTINCT ON (id) * FROM jsonb_to_recordset(p_index -> 'findings') AS each(
      id text, severity text, confidence text, category text, "check" text, title text, place text, "seenAt" text[])
    ORDER BY id
  ), known AS (
    UPDATE findings f SET
      severity = seen.severity, confidence = seen.confidence, category = seen.category, check_id = seen."check",
      title = seen.title, place = seen.place, seen_at = merged_places(f.seen_at, seen."seenAt"),
      last_seen_at = v_at, last_scan_id = p_scan.id
    FROM seen WHERE f.target_id = p_target AND f.finding_id = seen.id
    RETURNING f.finding_id
  ), added AS (
    INSERT INTO findings (account_id, target_id, finding_id, severity, confidence, category, check_id, title, place, seen_at,
      first_seen_at, first_scan_id, last_seen_at, last_scan_id, opened_at)
    SELECT p_scan.account_id, p_target, seen.id, seen.severity, seen.confidence, seen.category, seen."check", seen.title,
      seen.place, seen."seenAt", v_at, p_scan.id, v_at, p_scan.id, v_at
    FROM seen WHERE seen.id NOT IN (SELECT finding_id FROM known)
    RETURNING id
  )
  INSERT INTO finding_history (finding, at, event, to_status, scan_id)
  SELECT added.id, v_at, 'seen', 'open', p_scan.id FROM added ORDER BY added.id;

  PERFORM move_findings(v_worse, 'seenWorse', v_at, p_scan.id, NULL, NULL, NULL);
  PERFORM move_findings(v_seen, 'seen', v_at, p_scan.id, NULL, NULL, NULL);

  UPDATE targets SET score = p_scan.score, grade = p_scan.grade, coverage = p_index -> 'coverage' WHERE id = p_target;
  PERFORM count_open_findings(ARRAY[p_target]);
  INSERT INTO target_scores (target_id, day, scan_id, score, grade, open)
  SELECT p_target, (v_at AT TIME ZONE 'UTC')::date, p_scan.id, p_scan.score, p_scan.grade, open FROM targets WHERE id = p_target
  ON CONFLICT (target_id, day) DO UPDATE
    SET scan_id = excluded.scan_id, score = excluded.score, grade = excluded.grade, open = excluded.open;
END $$;

-- True while an earlier report of the target waits to be indexed: its findings come first.
CREATE OR REPLACE FUNCTION has_unindexed(p_scan scans) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM scans WHERE account_id = p_scan.account_id AND url = p_scan.url AND status = 'completed'
      AND findings_index = 'pending' AND ended_at <= p_scan.ended_at AND id <> p_scan.id
  );
$$;

-- Notes the end of a scan in its target, and its findings. Without p_index (an older release recorded it), after an error, or
-- behind an earlier report that waits, the report stays `pending`: the task that indexes such reports comes to it.
CREATE OR REPLACE FUNCTION note_end(p_scan scans, p_index text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_target bigint;
BEGIN
  v_target := target_of(p_scan.account_id, p_scan.url, p_scan.ended_at);
  UPDATE targets SET changed_at = p_scan.ended_at, last_scan_id = p_scan.id, last_status = p_scan.status WHERE id = v_target;
  UPDATE scans SET target_id = v_target WHERE id = p_scan.id AND target_id IS DISTINCT FROM v_target;
  IF p_index IS NULL OR has_unindexed(p_scan) THEN RETURN; END IF;
  PERFORM index_findings(p_scan, v_target, p_index::jsonb);
  UPDATE scans SET findings_index = 'done' WHERE id = p_scan.id;
EXCEPTION WHEN OTHERS THEN -- what was recorded counts more than what is made of it
  RAISE WARNING 'The findings of % are not indexed yet: %', p_scan.id, SQLERRM;
END $$;

-- Indexes a report that waits: done, or failed where its content cannot be (p_index is NULL, or of another form). NULL when
-- another process has done so.
CREATE OR REPLACE FUNCTION index_waiting_report(p_id text, p_index text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_scan scans%ROWTYPE;
  v_target bigint;
  v_state text := 'failed';
BEGIN
  SELECT * INTO v_scan FROM scans WHERE id = p_id AND status = 'completed' AND findings_index = 'pending' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_target := target_of(v_scan.account_id, v_scan.url, v_scan.ended_at);
  PERFORM FROM targets WHERE id = v_target FOR UPDATE;
  UPDATE targets SET changed_at = greatest(changed_at, v_scan.ended_at), last_scan_id = coalesce(last_scan_id, p_id),
    last_status = coalesce(last_status, v_scan.status) WHERE id = v_target;
  IF p_index IS NOT NULL THEN
    BEGIN
      PERFORM index_findings(v_scan, v_target, p_index::jsonb);
      v_state := 'done';
    EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
      RAISE WARNING 'The findings of % cannot be indexed: %', p_id, SQLERRM;
    END;
  END IF;
  UPDATE scans SET findings_index = v_state, target_id = v_target WHERE id = p_id;
  RETURN v_state;
END $$;
