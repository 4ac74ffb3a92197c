-- Appends to the audit log in the transaction of the change. The actor is {userId, name, ip, requestId}; without one (the file of
-- accounts) nothing is written. NULL as the time means the time of the server.
CREATE OR REPLACE FUNCTION write_audit(
  p_actor jsonb, p_account uuid, p_action text, p_subject text, p_before jsonb, p_after jsonb,
  p_now timestamptz DEFAULT NULL
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_log (at, account_id, user_id, actor, ip, request_id, action, subject, before, after)
  SELECT coalesce(p_now, now()), p_account, (p_actor->>'userId')::uuid, p_actor->>'name', p_actor->>'ip',
    p_actor->>'requestId', p_action, p_subject, p_before, p_after
  WHERE p_actor IS NOT NULL
$$;
