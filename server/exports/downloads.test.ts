import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { type Caller, newUser, startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../test/support/conversations.ts'
import { wavOf } from '../../test/support/engines.ts'
import { ownClock } from '../../test/support/own-clock.ts'
import { until } from '../../test/support/webhooks.ts'

let backend: TestBackend
const clock = ownClock()
const logged: string[] = []
before(async () => {
  const log = createLog('error', { write: (line) => void logged.push(line) })
  backend = await startBackend({ log, clock, enqueues: true })
})
/** What a failed test left open would keep the backend from stopping. */
const begun: AbortController[] = []
after(async () => {
  for (const download of begun) download.abort()
  await backend.stop()
})

/** With more in it than sockets take in at once, so that a download lasts until it is read. */
async function largeWorkspace(): Promise<Portal> {
  const portal = await newPortal(backend)
  const { send } = await newConversation(portal)
  await send('PUT', '/chunks/0', Buffer.concat([wavOf('long', 1), Buffer.alloc(20_000_000)]))
  return portal
}

interface Download {
  status: number
  headers: Headers
  /** Of the whole rest, in bytes. */
  rest(): Promise<number>
  goAway(): void
}

/** Begins to read a workspace, and stops after the first bytes. */
async function download({ workspaceId }: Portal, caller: Caller, method = 'GET'): Promise<Download> {
  const { body } = await caller.post(`/api/v2/workspaces/${workspaceId}/export`)
  const away = new AbortController()
  begun.push(away)
  const {
    status,
    headers,
    body: stream,
  } = await fetch(`${backend.url}/api/v2/workspaces/${workspaceId}/exports/${body.id}?format=zip`, {
    method,
    headers: { authorization: `Bearer ${caller.token}` },
    signal: away.signal,
  })
  const reader = stream?.getReader()
  await reader?.read()
  return {
    status,
    headers,
    async rest() {
      let bytes = 0
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        bytes += part.value.length
      return bytes
    },
    goAway: () => away.abort(),
  }
}

test('a workspace is downloaded twice at once, and once more when somebody is done or has gone away', async () => {
  const [portal, other] = [await largeWorkspace(), await largeWorkspace()]
  const { owner } = portal
  assert.equal((await download(portal, owner, 'HEAD')).status, 200, 'a head takes no place')
  const [first, second] = [await download(portal, owner), await download(portal, owner)]
  assert.deepEqual([first.status, second.status], [200, 200])
  const refused = await download(portal, owner)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const elsewhere = await download(other, other.owner)
  assert.equal(elsewhere.status, 200)
  elsewhere.goAway()
  first.goAway()
  const third = await until(
    () => download(portal, owner),
    ({ status }) => status === 200,
  )
  assert.equal((await download(portal, owner)).status, 429)
  assert.ok((await second.rest()) > 19_000_000)
  const fourth = await until(
    () => download(portal, owner),
    ({ status }) => status === 200,
  )
  third.goAway()
  fourth.goAway()
})

test('ends the download of a removed member with a log entry, and no other download', async () => {
  const portal = await largeWorkspace()
  const userId = newUser()
  const admin = await backend.as(userId)
  const members = `/api/v2/workspaces/${portal.workspaceId}/members`
  await portal.owner.post(members, { user_id: userId, role: 'admin' })
  const [removed, stays] = [await download(portal, admin), await download(portal, portal.owner)]
  assert.equal((await portal.owner.send('DELETE', `${members}/${userId}`)).status, 204)
  clock.advance(31)
  await assert.rejects(removed.rest())
  assert.ok((await stays.rest()) > 19_000_000)
  const line = logged.find((text) => text.includes('Response stream failed')) ?? ''
  assert.equal(JSON.parse(line).err.code, 'not_found')
})
