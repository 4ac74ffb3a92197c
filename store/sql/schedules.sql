-- Due schedules: claimed, decided, recorded. NULL as the time means the time of the server; only tests pass one.

-- Claims due schedules for so many seconds. A process that dies before it records its decision delays the run, and no other
-- process decides it meanwhile.
CREATE OR REPLACE FUNCTION claim_schedules(p_now timestamptz, p_seconds double precision, p_limit integer)
RETURNS SETOF schedules LANGUAGE sql AS $$
  UPDATE schedules SET claimed_until = coalesce(p_now, now()) + make_interval(secs => p_seconds)
  WHERE id = ANY (ARRAY(
    SELECT due.id FROM schedules AS due
    WHERE due.next_run_at <= coalesce(p_now, now())
      AND (due.claimed_until IS NULL OR due.claimed_until <= coalesce(p_now, now()))
    ORDER BY due.next_run_at, due.id LIMIT p_limit FOR UPDATE SKIP LOCKED
  ))
  RETURNING *;
$$;

-- Records what was decided, and the run if there was one (p_outcome). False, and nothing is recorded, when the claim is no longer
-- valid: the schedule was changed, removed, or claimed by another process. Runs beyond the history limit are deleted once their scan
-- has ended: until then they tell that it runs.
CREATE OR REPLACE FUNCTION record_schedule_decision(
  p_schedule uuid, p_claim timestamptz, p_now timestamptz, p_decided_until timestamptz, p_next_run_at timestamptz,
  p_missed integer, p_scheduled_at timestamptz, p_outcome text, p_code text, p_reason text, p_scan text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_limit smallint;
BEGIN
  UPDATE schedules SET decided_until = p_decided_until, next_run_at = p_next_run_at, claimed_until = NULL,
    missed_runs = missed_runs + p_missed
  WHERE id = p_schedule AND claimed_until = p_claim RETURNING history_limit INTO v_limit;
  IF NOT FOUND THEN RETURN false; END IF;

  IF p_missed > 0 THEN
    INSERT INTO schedule_runs (schedule_id, decided_at, outcome, missed) VALUES (p_schedule, v_now, 'missed', p_missed);
  END IF;
  IF p_outcome IS NOT NULL THEN
    INSERT INTO schedule_runs (schedule_id, scheduled_at, decided_at, outcome, code, reason, scan_id)
    VALUES (p_schedule, p_scheduled_at, v_now, p_outcome, p_code, p_reason, p_scan);
  END IF;
  DELETE FROM schedule_runs AS old WHERE schedule_id = p_schedule AND id <= (
    SELECT id FROM schedule_runs WHERE schedule_id = p_schedule ORDER BY id DESC OFFSET v_limit LIMIT 1
  ) AND NOT EXISTS (SELECT FROM scans WHERE scans.id = old.scan_id AND scans.status = 'processing');
  RETURN true;
END $$;
