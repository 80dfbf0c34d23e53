import type pg from 'pg'
import { TOKENIZER_VERSION } from '../../server/conversations/search/index-words.ts'
import { wordsOf } from '../../server/conversations/search/words.ts'

const SENTENCES = 20_000
const WORDS = 12
const VOCABULARY = 40_000
/** One of this number of sentences has no spaces, and `LETTERS` ideograms. */
const UNSPACED = 10
const LETTERS = 20
const IDEOGRAMS = 4_000
const BATCH = 500
const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo zu ar'.split(' ')

/** Words that occur in one of this number of conversations. */
export const KNOWN_WORDS = { often: 2, sometimes: 100, seldom: 1_000, 図書館の開館時間: 1_000 }
export const SELDOM_TAG = 'seldom'

/** Stores conversations of one project, a minute apart, each with this number of segments and their words in the search index. */
export async function seed(
  client: pg.Client,
  projectId: string,
  conversations: number,
  segments: number,
): Promise<void> {
  // Skips the checks of foreign keys, which are right by construction.
  await client.query('set session_replication_role = replica')
  await client.query('set search_path = parley')
  await client.query(
    'create unlogged table sentences (id integer primary key, text text not null, words text[] not null)',
  )
  const sentences = Array.from({ length: SENTENCES }, (_, place) => sentence(place))
  await client.query(
    `insert into sentences select place, text, string_to_array(words, ' ')
     from unnest($1::text[], $2::text[]) with ordinality s(text, words, place)`,
    [sentences, sentences.map(joinedWords)],
  )
  const rebuild = await withoutWordIndex(client)
  for (let from = 1; from <= conversations; from += BATCH) {
    const to = Math.min(from + BATCH - 1, conversations)
    const own = Array.from({ length: to - from + 1 }, (_, place) => joinedWords(ownText(from + place)))
    await client.query(STORE, [projectId, from, to, conversations, segments, SENTENCES, own])
    if (from % (BATCH * 20) === 1) console.log(`${from - 1} of ${conversations} conversations`)
  }
  await rebuild()
  await client.query('drop table sentences')
  await client.query('vacuum analyze conversations, segments, conversation_words')
}

/** Words contain no spaces. */
const joinedWords = (text: string): string => wordsOf(text).join(' ')

/** The words of a conversation besides its sentences: its title, a unique word, and the known words in turn. */
function ownText(n: number): string {
  const known = Object.entries(KNOWN_WORDS).filter(([, one]) => n % one === 1)
  return [`Conversation ${n} single${n}`, ...known.map(([word]) => word)].join(' ')
}

/** Few words are frequent and most are rare, as in natural language. */
function sentence(place: number): string {
  if (place % UNSPACED === 0)
    return Array.from({ length: LETTERS }, () => ideogramOf(rankAmong(IDEOGRAMS))).join('')
  return Array.from({ length: WORDS }, () => wordOf(rankAmong(VOCABULARY))).join(' ')
}

const rankAmong = (many: number): number => Math.floor(many ** Math.random())
const ideogramOf = (rank: number): string => String.fromCodePoint(0x4e00 + rank)

function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank; rest > 0 || word === ''; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}

/** Building the index afterwards takes a tenth of the time. */
async function withoutWordIndex(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where schemaname = 'parley' and indexname = 'conversation_words_by_word'`,
  )
  await client.query('drop index conversation_words_by_word')
  return async () => {
    await client.query(rows[0]?.indexdef ?? '')
  }
}

const STORE = `
  with made as (
    insert into conversations (id, project_id, status, source, language, participant_name, tags, title,
      started_at, active_at, finished_at, duration_ms)
    select (left(uuid_floor(at)::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid, $1,
      case when n % 100 = 0 then 'failed' else 'done' end,
      case when n % 10 = 0 then 'upload' else 'portal_audio' end,
      'en', 'Person ' || n,
      case when n % 1000 = 0 then array['${SELDOM_TAG}'] when n % 3 = 0 then array['north'] else array['south'] end,
      'Conversation ' || n, at, at, at, 1800000
    from generate_series($2::integer, $3::integer) n
    cross join lateral (select now() - ($4::integer - n) * interval '1 minute' as at) moment
    returning id, title, substring(title from '\\d+')::integer as n
  ), spoken as materialized (
    select made.id, made.n, place, s.text, s.words from made
    cross join generate_series(1, $5::integer) place
    join sentences s on s.id = 1 + abs(hashtextextended(made.id::text, place) % $6::integer)
  ), stored as (
    insert into segments (conversation_id, chunk_seq, position, start_ms, end_ms, text)
    select id, place / 10, place % 10, (place % 10) * 3000, (place % 10) * 3000 + 2900, text from spoken
  )
  insert into conversation_words (conversation_id, project_id, words, tokenizer_version)
  select id, $1, array_to_tsvector(array_agg(word) || string_to_array(($7::text[])[n - $2::integer + 1], ' ') || array[' ' || $1]),
    ${TOKENIZER_VERSION}
  from spoken cross join unnest(words) word group by id, n`
