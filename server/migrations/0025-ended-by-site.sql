-- The guard of a site counts whom end dates have taken there; a run says who stopped it, beside who had approved it.

alter table date_passes
  -- where they worked; null: at no site
  add column site_id uuid;

alter table runs add column cancelled_by jsonb;
