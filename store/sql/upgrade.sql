-- Functions that pods of the previous release call during an upgrade: wrappers with the earlier arguments. The month and the
-- quota, which the caller passed then, are ignored. Remove them once the previous release no longer calls them.

-- They pass no actor, and write the entry of the audit log themselves, if any. What they call must stay the only function of its name
-- with this number of arguments: they pass text, which fits any type.
DROP FUNCTION IF EXISTS submit_scan(text, uuid, text, text, text, timestamptz, text, text, text);
CREATE FUNCTION submit_scan(
  p_id text, p_account uuid, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_key text, p_digest text, p_installation text,
  OUT outcome text, OUT scan text, OUT at timestamptz, OUT renewed_in integer
) LANGUAGE sql AS $$
  SELECT outcome, (scan).id, (scan).created_at, renewed_in FROM start_scan(
    p_id, p_account, p_url, p_spec_url, p_context, p_now, p_key, p_digest, p_installation, NULL::jsonb,
    NULL, NULL, NULL, NULL, NULL);
$$;

DROP FUNCTION IF EXISTS adopt_scan(text, text, text, text, text, timestamptz, text, text, text);
CREATE FUNCTION adopt_scan(
  p_id text, p_account text, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_uid text, p_namespace text, p_installation text, OUT outcome text, OUT plan text, OUT scans_per_month integer
) LANGUAGE sql AS $$
  SELECT outcome, plan, scans_per_month FROM adopt_scan(
    p_id, p_account, p_url, p_spec_url, p_context, p_now, p_uid, p_namespace, p_installation, NULL::jsonb, NULL, NULL, NULL);
$$;

DROP FUNCTION IF EXISTS submit_scan(text, uuid, text, text, text, timestamptz, text, integer, text, text);
DROP FUNCTION IF EXISTS submit_scan(text, uuid, text, text, text, timestamptz, text, integer, text, text, text);
CREATE FUNCTION submit_scan(
  p_id text, p_account uuid, p_url text, p_spec_url text, p_context text, p_now timestamptz,
  p_month text, p_quota integer, p_key text, p_digest text, p_installation text DEFAULT NULL,
  OUT outcome text, OUT scan text, OUT at timestamptz
) LANGUAGE sql AS $$
  SELECT outcome, scan, at
  FROM submit_scan(p_id, p_account, p_url, p_spec_url, p_context, p_now, p_key, p_digest, p_installation);
$$;

DROP FUNCTION IF EXISTS foresee_scan(uuid, timestamptz, integer, text, text);
CREATE FUNCTION foresee_scan(
  p_account uuid, p_now timestamptz, p_quota integer, p_key text, p_digest text,
  OUT outcome text, OUT scan text, OUT at timestamptz
) LANGUAGE sql STABLE AS $$
  SELECT outcome, scan, at FROM foresee_scan(p_account, p_now, p_key, p_digest);
$$;

DROP FUNCTION IF EXISTS adopt_scan(text, text, text, text, text, timestamptz, text, integer);
CREATE FUNCTION adopt_scan(
  p_id text, p_account text, p_url text, p_spec_url text, p_context text, p_now timestamptz, p_month text,
  p_quota integer
) RETURNS text LANGUAGE sql AS $$
  SELECT outcome FROM adopt_scan(p_id, p_account, p_url, p_spec_url, p_context, p_now, NULL, NULL, NULL);
$$;

DROP FUNCTION IF EXISTS adopt_scan(
  text, text, text, text, text, timestamptz, text, integer, text, text, text
);
CREATE FUNCTION adopt_scan(
  p_id text, p_account text, p_url text, p_spec_url text, p_context text, p_now timestamptz, p_month text,
  p_quota integer, p_uid text, p_namespace text, p_installation text
) RETURNS text LANGUAGE sql AS $$
  SELECT outcome
  FROM adopt_scan(p_id, p_account, p_url, p_spec_url, p_context, p_now, p_uid, p_namespace, p_installation);
$$;
