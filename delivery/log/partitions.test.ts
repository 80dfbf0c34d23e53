import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import { maintainPartitions } from './partitions.ts'

const backend = await startBackend()
after(() => backend.stop())

const sql = (text: string, values: unknown[] = []) => backend.database.pool.query(text, values)
const daysOf = async (table: string) => {
  const { rows } = await sql(
    `select relname from pg_class c join pg_inherits i on i.inhrelid = c.oid where i.inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.map(({ relname }) => relname as string).filter((name) => !name.endsWith('default'))
}
const nameOf = (table: string, daysAgo: number) =>
  `${table}_${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}`

test('creates partitions a week ahead and drops them after the retention time', async () => {
  await sql(`select add_partitions((now() at time zone 'UTC')::date - n) from generate_series(2, 40) n`)
  await sql(`drop table ${nameOf('deliveries', -7)}, ${nameOf('events', -7)}, ${nameOf('attempts', -7)}`)
  await maintainPartitions(backend.database.db, 30)
  for (const table of ['events', 'deliveries', 'attempts']) {
    const days = await daysOf(table)
    assert.ok(days.includes(nameOf(table, 30)), 'the thirtieth day is kept')
    assert.ok(!days.includes(nameOf(table, 31)), 'the day before is gone')
    assert.ok(days.includes(nameOf(table, -7)), 'a week ahead is there')
  }
})

test('several workers can maintain the partitions concurrently', async () => {
  await sql(`drop table ${nameOf('deliveries', -6)}, ${nameOf('events', -6)}, ${nameOf('attempts', -6)}`)
  await Promise.all(Array.from({ length: 5 }, () => maintainPartitions(backend.database.db, 30)))
  assert.ok((await daysOf('deliveries')).includes(nameOf('deliveries', -6)))
})

test('moves rows from the default partition into a partition that is created late', async () => {
  const day = `(now() at time zone 'UTC')::date + 5`
  const names = ['attempts', 'deliveries', 'events'].flatMap((table) => [
    nameOf(table, -5),
    nameOf(table, -6),
  ])
  await sql(`drop table ${names.join(', ')}`)
  const { rows } = await sql(
    `with late as (select uuid_floor((${day})::timestamp at time zone 'UTC' + interval '1 hour') as id)
     insert into events (id, project_id, type, subject_id, occurred_at)
     select id, id, 'conversation.started', id, now() from late
     returning id, tableoid::regclass::text as partition`,
  )
  assert.equal(rows[0].partition, 'events_default')
  await maintainPartitions(backend.database.db, 30)
  const moved = await sql('select tableoid::regclass::text as partition from events where id = $1', [
    rows[0].id,
  ])
  assert.deepEqual(moved.rows, [{ partition: nameOf('events', -5) }])
  assert.ok((await daysOf('events')).includes(nameOf('events', -6)))
})

test('turns deduplication off in the index of pending deliveries of every partition', async () => {
  await maintainPartitions(backend.database.db, 30)
  const { rows } = await sql(
    `select c.reloptions from pg_class c join pg_inherits i on i.inhrelid = c.oid
     where i.inhparent = 'deliveries_pending'::regclass`,
  )
  assert.ok(rows.length > 7)
  for (const { reloptions } of rows) assert.deepEqual(reloptions, ['deduplicate_items=off'])
})

test('the database makes ids that are UUIDs of version 7 and sort by time', async () => {
  const { rows } = await sql(
    `select uuid_v7()::text as id, uuid_floor(now())::text as floor from generate_series(1, 100)`,
  )
  for (const { id, floor } of rows) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.ok(id >= floor.slice(0, 8))
  }
})
