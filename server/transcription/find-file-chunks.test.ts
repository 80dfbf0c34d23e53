import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newConversation } from '../../test/support/conversations.ts'
import { countStatements } from '../../test/support/database/count-statements.ts'
import fc from '../../test/support/properties.ts'
import { backend, portal, query, setUp } from '../conversations/testing/setup.ts'
import { fileChunksUpTo, lastChunksUpTo, splitIntoFiles } from './find-file-chunks.ts'
import { findOverlap } from './find-overlap.ts'

setUp({})

const numbers = (chunks: readonly { seq: number }[]): number[] => chunks.map(({ seq }) => seq)

test('divides many chunks into the same files as one by one', async () => {
  const { db } = backend.database
  const chunks = fc.uniqueArray(fc.record({ seq: fc.nat(25), hasHeader: fc.boolean() }), {
    selector: ({ seq }) => seq,
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 20 }), async (given, count) => {
      const { id } = await newConversation(portal)
      await query(
        `insert into chunks (conversation_id, seq, digest, bytes, container)
         select $1, seq, '', 0, case when header then 'wav' end from unnest($2::integer[], $3::boolean[]) as c (seq, header)`,
        [id, numbers(given), given.map(({ hasHeader }) => hasHeader)],
      )
      const last = Math.max(...numbers(given))
      const read = await lastChunksUpTo(db, id, last, count)
      assert.equal(read.length, Math.min(count, given.length))
      const files = splitIntoFiles(read)
      assert.deepEqual(files.flat(), read)
      // The first one can have begun earlier.
      for (const file of read.length < count ? files : files.slice(1))
        assert.deepEqual(file, await fileChunksUpTo(db, id, file.at(-1)?.seq ?? 0))
    }),
    { numRuns: 40 },
  )
})

test('looks back over many files with as many statements as over one', async () => {
  const { db } = backend.database
  const { id } = await newConversation(portal)
  await query(
    `insert into chunks (conversation_id, seq, digest, bytes, container, state, duration_ms)
     select $1, seq, '', 0, 'wav', case when seq < 9 then 'transcribed' else 'stored' end, 5000
     from generate_series(0, 9) as seq`,
    [id],
  )
  const [conversation] = await db.selectFrom('conversations').selectAll().where('id', '=', id).execute()
  const project = { language: 'en', languages: [], hotwords: [] }
  const count = countStatements(backend, /from "?chunks/)
  const statements: number[] = []
  for (const seq of [1, 9]) {
    const [chunk] = await fileChunksUpTo(db, id, seq)
    assert.ok(conversation && chunk)
    const before = count()
    const { before: previous } = await findOverlap(
      db,
      { conversation, project, chunks: [chunk], chunk },
      true,
    )
    assert.equal(previous?.seq, seq - 1)
    statements.push(count() - before)
  }
  assert.deepEqual(statements, [1, 1])
})
