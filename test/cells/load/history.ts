import { rules } from '../../../delivery/index.ts'
import { create } from '../../chaos/framework/fixtures.ts'
import type { Cell } from '../cell.ts'
import type { Organisation } from './organisation.ts'

const BODY_BYTES = 1_024

/**
 * Adds a project whose webhook got this many events yesterday, each with a delivery and an attempt. The rows are inserted directly,
 * because they only make the move longer.
 */
export async function addHistory(
  { client, workspace }: Organisation,
  { fixtures }: Cell,
  events: number,
): Promise<void> {
  const project = await create(client, `/api/v2/workspaces/${workspace}/projects`, { name: 'History' })
  const url = 'http://127.0.0.1:9/'
  const webhook = await create(client, `/api/projects/${project}/webhooks`, {
    url,
    events: ['conversation.started'],
  })
  await fixtures.cluster.query(
    `with event as (
       insert into events (id, project_id, type, subject_id, occurred_at, full_body, ids_body)
       select overlay(id::text placing left(uuid_floor(at)::text, 13) from 1 for 13)::uuid, $1, 'conversation.started', id, at,
         convert_to(json_build_object('data', json_build_object(), 'text', repeat('x', ${BODY_BYTES}))::text, 'UTF8'), '{}'
       from (select gen_random_uuid() as id, now() - interval '1 day' as at from generate_series(1, $3::integer)) new
       returning id, type, occurred_at
     ), delivery as (
       insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status, attempts, created_at, due_at,
         expires_at, finished_at, last_status)
       select id, $2, id, type, occurred_at, 'event', 'full', 'succeeded', 1, occurred_at, occurred_at,
         occurred_at + interval '${rules.LIFETIME_HOURS} hours', occurred_at, 200 from event
       returning id, created_at
     )
     insert into attempts (delivery_id, number, at, duration_ms, status, details)
     select id, 1, created_at, 20, 200, '{"address": "127.0.0.1", "opened": true, "secret_version": 1}' from delivery`,
    [project, webhook, events],
  )
}
