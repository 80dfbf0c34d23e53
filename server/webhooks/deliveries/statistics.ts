import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { timestamp, timeZone } from '../../api/schema.ts'

const MAX_COUNTED = 100_000
/** Attempts that are read per bucket. Looking up those of 100,000 deliveries took 3 s. */
const MAX_SAMPLES = 400

const RANGES = {
  '24h': { unit: 'hour', buckets: 24 },
  '30d': { unit: 'day', buckets: 30 },
} as const

export const statisticsQuery = z.strictObject({
  range: z
    .enum(['24h', '30d'], 'must be 24h or 30d')
    .default('24h')
    .describe('`24h` has one bucket per hour, `30d` one per day; the last one is not over yet'),
  time_zone: timeZone,
})

const count = z.number().int()
const milliseconds = z.number().int().nullable()
const figures = {
  succeeded: count,
  failed: count,
  missed: count,
  pending: count.describe('Including those that are being sent'),
  cancelled: count,
  response_p50_ms: milliseconds.describe(
    `Median duration of the last attempts, of up to ${MAX_SAMPLES} deliveries per bucket; null without attempts, and for receivers in the network of the operator`,
  ),
  response_p95_ms: milliseconds,
}

export const DeliveryStatistics = z
  .object({
    range: z.enum(['24h', '30d']),
    complete: z
      .boolean()
      .describe(`False if only the newest ${MAX_COUNTED / 1_000},000 deliveries were counted`),
    total: z.object(figures),
    buckets: z.array(z.object({ start: timestamp, ...figures })).describe('Oldest first; without gaps'),
  })
  .meta({ id: 'DeliveryStatistics' })
type Figures = z.output<typeof DeliveryStatistics>['total']

/**
 * Counts the deliveries of a webhook by the time at which they were created, without tests. The bound on ids lets PostgreSQL read
 * the newest rows of the primary key, in the partitions of the range only.
 */
export async function readStatistics(
  db: Db,
  webhookId: string,
  { range, time_zone }: z.output<typeof statisticsQuery>,
): Promise<z.output<typeof DeliveryStatistics>> {
  const { unit, buckets } = RANGES[range]
  const step = sql.lit(`1 ${unit}`)
  // An hour begins at the same moment in most zones, and a local hour is ambiguous when summer time ends.
  const zone = unit === 'hour' ? 'UTC' : time_zone
  const { rows } = await sql<Figures & { start: string | null; counted: number }>`
    with bucket as (
      select local, local at time zone ${zone} as start
      from generate_series(
        date_trunc(${unit}, now() at time zone ${zone}) - ${buckets - 1} * ${step}::interval,
        now() at time zone ${zone}, ${step}::interval) as local
    ), counted as (
      select d.id, d.status, d.attempts, date_trunc(${unit}, d.created_at at time zone ${zone}) as local
      from deliveries d
      where d.webhook_id = ${webhookId} and d.id >= uuid_floor((select min(start) from bucket)) and d.kind <> 'test'
      order by d.id desc
      limit ${MAX_COUNTED}
    ), delivery as (
      -- Every nth of a bucket, so that its samples are spread over it.
      select *, row_number() over (partition by local order by id)
        % ceil(count(*) over (partition by local) / ${sql.lit(MAX_SAMPLES)}.0)::bigint = 0 as is_sampled
      from counted
    )
    select b.start,
      count(*) filter (where d.status = 'succeeded')::int as succeeded,
      count(*) filter (where d.status = 'failed')::int as failed,
      count(*) filter (where d.status = 'missed')::int as missed,
      count(*) filter (where d.status = 'pending')::int as pending,
      count(*) filter (where d.status = 'cancelled')::int as cancelled,
      round(percentile_cont(0.5) within group (order by a.duration_ms))::int as response_p50_ms,
      round(percentile_cont(0.95) within group (order by a.duration_ms))::int as response_p95_ms,
      count(d.id)::int as counted
    from bucket b
    left join delivery d on d.local = b.local
    -- The limit makes PostgreSQL look up each attempt by its key; it would otherwise read the attempts of all webhooks.
    left join lateral (
      select duration_ms from attempts
      where d.is_sampled and delivery_id = d.id and number = d.attempts and details ->> 'opened' = 'false'
      limit 1
    ) a on true
    group by grouping sets ((b.start), ())
    order by b.start nulls first`.execute(db)
  const [{ counted, start: _all, ...total }, ...each] = rows as [(typeof rows)[0], ...typeof rows]
  return {
    range,
    complete: counted < MAX_COUNTED,
    total,
    buckets: each.map(({ counted: _counted, start, ...own }) => ({ start: start as string, ...own })),
  }
}
