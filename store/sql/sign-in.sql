-- Invitations and the roles that providers give. NULL as the time means the time of the server; only tests pass one.

-- Whether a link can be used: it was not used, has not expired, and who made it may still make it. NULL as its maker: the command
-- line of the service.
CREATE OR REPLACE FUNCTION is_open_invitation(i invitations, p_now timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT i.used_at IS NULL AND i.expires_at > coalesce(p_now, now()) AND (
    i.created_by IS NULL OR EXISTS (
      SELECT FROM users u WHERE u.id = i.created_by AND u.disabled_at IS NULL AND (
        u.is_administrator OR NOT i.is_administrator AND i.user_id IS NULL AND EXISTS (
          SELECT FROM memberships m WHERE m.user_id = u.id AND m.account_id = i.account_id AND m.role = 'owner'))))
$$;

-- Uses a one-time link, and withdraws the other open ones for the same: the password of the user, or the same address in the same
-- account. Outcomes: 'accepted'; 'invalid': not open (is_open_invitation), or for the first administrator of a service that has users; 'exists': its address is that of a user, who has to sign in to accept it, since whoever has the link must not
-- get into the account of somebody else; 'taken': the identity belongs to another user than the one signed in.
DROP FUNCTION IF EXISTS accept_invitation(text, uuid, text, text, text, text, text, timestamptz);
CREATE FUNCTION accept_invitation(
  p_sha256 text, p_user uuid, p_email text, p_name text, p_password_hash text, p_issuer text, p_subject text,
  p_now timestamptz, OUT outcome text, OUT user_id uuid
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now CONSTANT timestamptz := coalesce(p_now, now());
  v_user uuid := p_user;
  v_known uuid;
  v_email text;
  invitation invitations;
BEGIN
  SELECT * INTO invitation FROM invitations i
  WHERE i.sha256 = p_sha256 AND is_open_invitation(i, v_now) FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'invalid';
    RETURN;
  END IF;
  IF invitation.email IS NULL AND invitation.user_id IS NULL THEN
    PERFORM pg_advisory_xact_lock(4716030902); -- two links must not create two first administrators
    IF EXISTS (SELECT FROM users) THEN
      outcome := 'invalid';
      RETURN;
    END IF;
  END IF;

  IF invitation.user_id IS NOT NULL THEN
    UPDATE users u SET password_hash = p_password_hash
    WHERE u.id = invitation.user_id AND u.disabled_at IS NULL AND p_password_hash IS NOT NULL;
    IF NOT FOUND THEN
      outcome := 'invalid';
      RETURN;
    END IF;
    v_user := invitation.user_id;
  ELSE
    IF p_issuer IS NOT NULL THEN
      SELECT i.user_id INTO v_known FROM identities i WHERE i.issuer = p_issuer AND i.subject = p_subject;
      IF v_known <> v_user THEN
        outcome := 'taken';
        RETURN;
      END IF;
      v_user := coalesce(v_user, v_known);
    END IF;
    IF v_user IS NULL THEN
      v_email := coalesce(invitation.email, p_email);
      INSERT INTO users AS u (email, name, password_hash) VALUES (v_email, p_name, p_password_hash)
      ON CONFLICT (email) DO NOTHING RETURNING u.id INTO v_user;
      IF v_user IS NULL THEN
        outcome := 'exists';
        RETURN;
      END IF;
    ELSIF NOT EXISTS (SELECT FROM users u WHERE u.id = v_user AND u.disabled_at IS NULL) THEN
      outcome := 'invalid';
      RETURN;
    END IF;
    IF p_issuer IS NOT NULL THEN
      INSERT INTO identities (issuer, subject, user_id) VALUES (p_issuer, p_subject, v_user) ON CONFLICT DO NOTHING;
    END IF;
    IF invitation.account_id IS NOT NULL THEN
      INSERT INTO memberships AS m (user_id, account_id, role) VALUES (v_user, invitation.account_id, invitation.role)
      ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, issuer = NULL;
    END IF;
    IF invitation.is_administrator THEN
      UPDATE users u SET is_administrator = true, administrator_issuer = NULL WHERE u.id = v_user;
    END IF;
  END IF;

  UPDATE invitations i SET used_at = v_now WHERE i.id = invitation.id;
  DELETE FROM invitations i WHERE i.used_at IS NULL AND i.user_id IS NOT DISTINCT FROM invitation.user_id
    AND (i.user_id IS NOT NULL OR i.email = invitation.email AND i.account_id IS NOT DISTINCT FROM invitation.account_id);
  DELETE FROM sessions s WHERE s.user_id = v_user; -- the role or the password changed: a new token follows
  outcome := 'accepted';
  user_id := v_user;
END $$;

-- Gives a user the roles that the groups of this provider stand for, and takes those that they no longer do. p_roles is
-- [{"account": name, "role": role}]; accounts that do not exist are left out. p_administrator NULL: the provider has no group
-- of administrators, and changes nothing about that. A change ends the sessions of the user. False: nothing changed.
DROP FUNCTION IF EXISTS apply_provider_roles(uuid, text, jsonb, boolean); -- it returned void
CREATE FUNCTION apply_provider_roles(p_user uuid, p_issuer text, p_roles jsonb, p_administrator boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  is_changed boolean;
BEGIN
  WITH wanted AS (
    SELECT a.id AS account_id, r.role FROM jsonb_to_recordset(p_roles) AS r(account text, role text)
    JOIN accounts a ON a.name = r.account
  ), lost AS (
    DELETE FROM memberships m WHERE m.user_id = p_user AND m.issuer = p_issuer
      AND m.account_id NOT IN (SELECT account_id FROM wanted) RETURNING m.user_id
  ), given AS (
    INSERT INTO memberships AS m (user_id, account_id, role, issuer)
    SELECT p_user, account_id, role, p_issuer FROM wanted
    ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, issuer = excluded.issuer
      WHERE (m.role, m.issuer) IS DISTINCT FROM (excluded.role, excluded.issuer) RETURNING m.user_id
  ), administrator AS (
    UPDATE users u SET is_administrator = p_administrator,
      administrator_issuer = CASE WHEN p_administrator THEN p_issuer END
    WHERE u.id = p_user AND u.is_administrator <> p_administrator
      AND (p_administrator OR u.administrator_issuer = p_issuer) RETURNING u.id
  )
  SELECT EXISTS (
    SELECT FROM lost UNION ALL SELECT FROM given UNION ALL SELECT FROM administrator
  ) INTO is_changed;
  IF is_changed THEN
    DELETE FROM sessions s WHERE s.user_id = p_user;
  END IF;
  RETURN is_changed;
END $$;
