import type { Db } from '../../kernel/database.ts'

/** Replays of all webhooks, neither ordered nor limited yet. */
export const selectReplays = (db: Db) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('replays as r')
        .innerJoin('webhooks as w', 'w.id', 'r.webhook_id')
        .select([
          'r.id',
          'r.state',
          'w.project_id',
          'r.webhook_id as target_id',
          'r.total',
          'r.created_at',
          'r.finished_at',
        ])
        .as('replays'),
    )
    .selectAll()
