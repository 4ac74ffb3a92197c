-- Appends to the audit log in the transaction of the change. The actor is {userId, keyId, name, ip, requestId}. Releases that
-- recorded less of API keys and of the file of accounts pass none, and nothing is written. NULL as the time means the time of the
-- server.
CREATE OR REPLACE FUNCTION write_audit(
  p_actor jsonb, p_account uuid, p_action text, p_subject text, p_before jsonb, p_after jsonb,
  p_now timestamptz DEFAULT NULL
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_log (at, account_id, user_id, key_id, actor, ip, request_id, action, subject, before, after)
  SELECT coalesce(p_now, now()), p_account, (p_actor->>'userId')::uuid, (p_actor->>'keyId')::uuid, p_actor->>'name',
    p_actor->>'ip', p_actor->>'requestId', p_action, p_subject, p_before, p_after
  WHERE p_actor IS NOT NULL
$$;

-- Deletes one batch of entries that are older than this many days, and returns their number.
CREATE OR REPLACE FUNCTION delete_old_audit_entries(p_days integer, p_now timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_deleted integer;
BEGIN
  DELETE FROM audit_log WHERE ctid = ANY (ARRAY(
    SELECT l.ctid FROM audit_log l WHERE l.at < coalesce(p_now, now()) - make_interval(days => p_days)
    ORDER BY l.at LIMIT p_limit FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;
