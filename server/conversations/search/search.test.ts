import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newConversation, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedEngines } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { backend, portal, query, recorded, setUp } from '../testing/setup.ts'
import { createReindexing } from './reindex.ts'

setUp({ engines: scriptedEngines() })

async function find(q: string): Promise<string[]> {
  const path = `/api/v2/projects/${portal.projectId}/conversations?q=${encodeURIComponent(q)}`
  const { body } = await portal.owner.get(path)
  return body.data.map(({ id }: { id: string }) => id)
}

const TALKS: Record<string, string[]> = {
  明日東京都の図書館に行きます: ['東京', '図書館', '京都', '館', '図書館に行き'],
  ฉันต้องการน้ำดื่มในสวนสาธารณะ: ['น้ำ', 'สวนสาธารณะ', 'ต้องการ'],
  'السَّلَامُ عليكم يا أحمد': ['السلام', 'أحمد', 'احمد', 'عليكم'],
  'שָׁלוֹם לכולם': ['שלום', 'שָׁלוֹם', 'לכ'],
  'Die Hauptstraße ist laut': ['hauptstraße', 'HAUPTSTRASSE', 'hauptstrasse'],
  'Ο δρόμος της ΟΔΥΣΣΕΙΑΣ': ['ΔΡΌΜΟΣ', 'δρομος', 'οδύσσειας'],
  'IŞIKLI Ispartalı İzmirli': ['ışıklı', 'ispartalı', 'izmirli', 'İZMİRLİ'],
  'Write to anna.kern@example.com please': ['anna.kern@example.com', 'kern@exa', 'example.com'],
  'A well-known e-bike, isn’t it': ['well-known', 'known', 'ebike', "isn't", 'isnt'],
  'It costs 1,250.75 for the Ａ３２０': ['1250', '1,250.75', 'A320', '320'],
}

test('finds words in every script and spelling', async () => {
  const ids = new Map<string, string>()
  await Promise.all(Object.keys(TALKS).map(async (text) => ids.set(text, (await recorded(text)).id)))
  for (const [text, asked] of Object.entries(TALKS))
    for (const q of asked) assert.deepEqual(await find(q), [ids.get(text)], q)
})

test('a search shows the passage that it found, and the language narrows a list down', async () => {
  const written = `${'Nothing. '.repeat(60)}The zeppelin landed.${' Nothing.'.repeat(60)}`
  const { id, send } = await recorded('First line\n@{"language": "nl"} De Zeppelinstraat is lang')
  await send('POST', '/text', { content: written })
  const other = await recorded('No such word', { start: { participant_name: 'Zeppelin' } })
  const path = `/api/v2/projects/${portal.projectId}/conversations`
  const matches = async (query: string) =>
    (await portal.owner.get(`${path}?${query}`)).body.data.map((one: { id: string; match?: string }) => [
      one.id,
      one.match,
    ])
  assert.deepEqual(await matches('q=zeppelin'), [
    [other.id, null],
    [id, 'De Zeppelinstraat is lang'],
  ])
  const [[, passage]] = await matches('q=landed')
  assert.match(passage, /^….+The zeppelin landed\..+…$/)
  assert.ok(passage.length < 310)
  for (const hostile of ['(', 'a.*', '\\m', "'"]) await matches(`q=${encodeURIComponent(hostile)}`)
  assert.ok((await matches('language=en')).some(([found]: [string]) => found === other.id))
  assert.deepEqual(await matches('language=fr'), [])
  assert.equal((await portal.owner.get(`${path}?language=English`)).status, 422)
})

/** A conversation that was typed, which takes less time than a recorded one. */
async function written(content: string): Promise<string> {
  const { id, token, send } = await newConversation(portal)
  await send('POST', '/text', { content })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  return id
}

/** As an older version indexed it. */
const age = (id: string, words: string) =>
  query(
    'update conversation_words set words = to_tsvector($2), tokenizer_version = 1 where conversation_id = $1',
    [id, words],
  )
const editionOf = async (id: string) =>
  (await query('select tokenizer_version from conversation_words where conversation_id = $1', [id]))[0]
    ?.tokenizer_version

async function reindexAll(): Promise<void> {
  const reindex = createReindexing(backend.database.db)
  while (await reindex());
}

test('reindexes outdated conversations once, with several workers', async () => {
  const made = Array.from({ length: 25 }, (_, n) => written(`会議室の予約 ${n}`))
  const ids = (await Promise.all(made)).toSorted()
  for (const id of ids) await age(id, 'old')
  assert.deepEqual(await find('予約'), [])
  await query('create table writes (conversation_id uuid)')
  await query(`create function note() returns trigger language plpgsql as $$
    begin insert into writes values (new.conversation_id); return null; end $$`)
  await query('create trigger note after update on conversation_words for each row execute function note()')
  assert.equal(await createReindexing(backend.database.db)(), true, 'there is more than one batch')
  await Promise.all([reindexAll(), reindexAll(), reindexAll()])
  await reindexAll()
  assert.deepEqual(await find('予約'), ids.toReversed())
  const updated = await query('select conversation_id from writes order by 1')
  assert.deepEqual(
    updated.map(({ conversation_id }) => conversation_id),
    ids,
  )
  await query('drop trigger note on conversation_words')
})

test('reindexes the others when one conversation fails', async () => {
  const [broken, whole] = [(await recorded('壊れた椅子')).id, (await recorded('新しい椅子')).id]
  for (const id of [broken, whole]) await age(id, 'old')
  await query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
  await query(
    `create trigger refuse before update on conversation_words for each row when (old.conversation_id = '${broken}')
     execute function refuse()`,
  )
  const reindex = createReindexing(backend.database.db)
  await assert.rejects(reindex(), /refused/)
  assert.equal(await reindex(), false)
  assert.deepEqual([await editionOf(broken), await editionOf(whole)], [1, 2])
  await query('drop trigger refuse on conversation_words')
  await reindex()
  assert.deepEqual(await find('椅子'), [whole, broken])
})

test('does not reindex a conversation that was erased', async () => {
  const { id } = await recorded('秘密の話')
  await age(id, 'old')
  const deleting = await backend.database.pool.connect()
  await deleting.query('begin')
  await deleting.query('update conversations set deleted_at = now() where id = $1', [id])
  const reindexing = reindexAll()
  await until(
    () =>
      query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    (waiting) => waiting.length > 0,
  )
  await deleting.query('delete from conversation_words where conversation_id = $1', [id])
  await deleting.query('commit')
  deleting.release()
  await reindexing
  assert.equal(await editionOf(id), undefined)
})

test('finds outdated conversations by an index', async () => {
  // PostgreSQL reads a small table without an index.
  await query(
    `with made as (
       insert into conversations (id, project_id, status, source)
       select uuid_v7(), $1, 'done', 'upload' from generate_series(1, 5000) returning id
     )
     insert into conversation_words (conversation_id, project_id, words, tokenizer_version)
     select id, $1, ''::tsvector, 2 from made`,
    [portal.projectId],
  )
  await query('analyze conversation_words')
  const plan = await query(`explain select conversation_id from conversation_words where tokenizer_version < 2
    and conversation_id > '00000000-0000-0000-0000-000000000000' order by conversation_id limit 20`)
  assert.match(JSON.stringify(plan), /conversation_words_outdated/)
})
