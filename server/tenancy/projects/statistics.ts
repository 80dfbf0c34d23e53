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
  const midnight = sql`date_trunc('day', now() at time zone ${zone}) at time zone ${zone}`
  const [totals, days] = await Promise.all([
    sql<Omit<Statistics, 'days'>>`
      with names as (
        -- Hashes need less memory than names; two of 100,000 names have the same with a probability of 10^-9.
        select hashtextextended(participant_name, 0) as name, count(*) as conversations, sum(duration_ms) as duration_ms,
          count(*) filter (where status = 'recording') as recording,
          count(*) filter (where status in ('transcribing', 'summarizing')) as processing,
          count(*) filter (where status = 'failed') as failed,
          -- A time zone is looked up once, not for each row.
          count(*) filter (where finished_at >= (select ${midnight})) as finished_today
        from conversations where project_id = ${projectId} and deleted_at is null
        group by 1
      )
      select coalesce(sum(conversations), 0)::int as conversations,
        (coalesce(sum(duration_ms), 0) / 1000)::bigint as audio_seconds,
        (count(name) + coalesce(sum(conversations) filter (where name is null), 0))::int as participants,
        coalesce(sum(recording), 0)::int as recording,
        coalesce(sum(processing), 0)::int as processing,
        coalesce(sum(failed), 0)::int as failed,
        (select count(*)::int from reports where project_id = ${projectId} and deleted_at is null) as reports,
        (select count(*)::int from webhooks where project_id = ${projectId} and deleted_at is null) as webhooks,
        coalesce(sum(finished_today), 0)::int as finished_today
      from names`.execute(db),
    sql<Statistics['days'][number]>`
      with day as (
        select row_number() over (order by local) as number, local at time zone ${zone} as start
        from generate_series(
          date_trunc('day', now() at time zone ${zone}) - ${DAYS - 1} * interval '1 day',
          now() at time zone ${zone}, interval '1 day') as local
      ), counted as (
        select width_bucket(started_at, (select array_agg(start order by start) from day)) as number,
          count(*)::int as conversations, (sum(duration_ms) / 1000)::bigint as audio_seconds
        from conversations
        where project_id = ${projectId} and deleted_at is null and started_at >= (select min(start) from day)
          and started_at < (select (date_trunc('day', now() at time zone ${zone}) + interval '1 day') at time zone ${zone})
        group by 1
      )
      select d.start, coalesce(c.conversations, 0) as conversations, coalesce(c.audio_seconds, 0) as audio_seconds
      from day d left join counted c on c.number = d.number
      order by d.start`.execute(db),
  ])
  return { ...(totals.rows[0] as Omit<Statistics, 'days'>), days: days.rows }
}
