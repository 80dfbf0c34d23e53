import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { timestamp, timeZone } from '../../api/schema.ts'

const DAYS = 30

export const statisticsQuery = z.strictObject({ time_zone: timeZone })

const count = z.number().int()

export const ProjectStatistics = z
  .object({
    conversations: count,
    audio_seconds: count,
    participants: count.describe('Different names; each conversation without a name counts as one'),
    recording: count.describe('Conversations that are being recorded now'),
    processing: count.describe('Conversations that are being transcribed or summarised'),
    failed: count,
    reports: count,
    webhooks: count,
    finished_today: count.describe('Conversations that ended since midnight in `time_zone`'),
    days: z
      .array(z.object({ start: timestamp, conversations: count, audio_seconds: count }))
      .describe(
        `By the time at which conversations started: the last ${DAYS} days, oldest first, without gaps`,
      ),
  })
  .meta({ id: 'ProjectStatistics' })

type Statistics = z.output<typeof ProjectStatistics>

/** Reads the columns of the index `conversations_by_start` only. */
export async function readProjectStatistics(
  db: Db,
  projectId: string,
  { time_zone: zone }: z.output<typeof statisticsQuery>,
): Promise<Statistics> {
  const [totals, days] = await Promise.all([
    sql<Omit<Statistics, 'days'>>`
      with project as not materialized (
        select status, finished_at, duration_ms, participant_name
        from conversations where project_id = ${projectId} and deleted_at is null
      ), names as (
        -- Hashes need no sorting and less memory than names; two of 100,000 names have the same with a probability of 10^-9.
        select from project where participant_name is not null group by hashtextextended(participant_name, 0)
      )
      select count(*)::int as conversations, (coalesce(sum(duration_ms), 0) / 1000)::bigint as audio_seconds,
        (count(*) filter (where participant_name is null) + (select count(*) from names))::int as participants,
        count(*) filter (where status = 'recording')::int as recording,
        count(*) filter (where status in ('transcribing', 'summarizing'))::int as processing,
        count(*) filter (where status = 'failed')::int as failed,
        (select count(*)::int from reports where project_id = ${projectId} and deleted_at is null) as reports,
        (select count(*)::int from webhooks where project_id = ${projectId} and deleted_at is null) as webhooks,
        count(*) filter (where finished_at >= date_trunc('day', now() at time zone ${zone}) at time zone ${zone})::int
          as finished_today
      from project`.execute(db),
    sql<Statistics['days'][number]>`
      with day as (
        select local, local at time zone ${zone} as start
        from generate_series(
          date_trunc('day', now() at time zone ${zone}) - ${DAYS - 1} * interval '1 day',
          now() at time zone ${zone}, interval '1 day') as local
      ), counted as (
        select date_trunc('day', started_at at time zone ${zone}) as local, count(*)::int as conversations,
          (sum(duration_ms) / 1000)::bigint as audio_seconds
        from conversations
        where project_id = ${projectId} and deleted_at is null and started_at >= (select min(start) from day)
        group by 1
      )
      select d.start, coalesce(c.conversations, 0) as conversations, coalesce(c.audio_seconds, 0) as audio_seconds
      from day d left join counted c on c.local = d.local
      order by d.start`.execute(db),
  ])
  return { ...(totals.rows[0] as Omit<Statistics, 'days'>), days: days.rows }
}
