import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type TestConversation } from '../../test/support/conversations.ts'
import { scriptedEngines } from '../../test/support/engines.ts'
import { Problem } from '../api/problems.ts'
import { createParticipantTokens, newParticipantToken } from './participant-token.ts'

const backend = await startBackend({ engines: scriptedEngines() })
const portal = await newPortal(backend)
after(() => backend.stop())

test('concurrent requests each get their own conversation, and no other', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => newConversation(portal)))
  const [one, another, withdrawn] = all as [TestConversation, TestConversation, TestConversation]
  assert.equal((await withdrawn.send('DELETE', '')).status, 204)
  const verify = createParticipantTokens(backend.database.pipelined)
  const outcomeOf = (id: string, token: string | undefined) =>
    verify(id, token).then(
      (conversation) => conversation.id,
      (error: unknown) => (error instanceof Problem ? error.code : error),
    )
  const outcomes = await Promise.all([
    ...all.map(({ id, token }) => outcomeOf(id, token)),
    outcomeOf(one.id.toUpperCase(), one.token),
    outcomeOf(one.id, another.token),
    outcomeOf(one.id, undefined),
    outcomeOf(one.id, newParticipantToken()),
    outcomeOf(randomUUID(), one.token),
    outcomeOf('no id', one.token),
  ])
  assert.deepEqual(outcomes, [
    ...all.map(({ id }) => (id === withdrawn.id ? 'not_found' : id)),
    one.id,
    'participant_token_rejected',
    'participant_token_rejected',
    'participant_token_rejected',
    'not_found',
    'not_found',
  ])
})
