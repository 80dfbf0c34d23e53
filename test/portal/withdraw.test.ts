import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal, type Portal, participantOf } from '../support/conversations.ts'
import { filesBelow, findWord } from '../support/database/dump.ts'
import { scriptedEngines } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { newPhone, startRecording, untilStep } from './support/phone.ts'
import { speechFile } from './support/speech.ts'

/** One word for each way in which content gets in; the page sends both. */
const [SAID, NAMED] = ['bandoneon', 'Flugelhorn']

let backend: TestBackend
let microphone: string
before(async () => {
  const { transcriber, summarizer } = scriptedEngines()
  const transcribe = async () => ({
    language: 'en',
    duration: 2,
    isWhole: true,
    segments: [{ start: 0, end: 1, text: `We would like a ${SAID} in the park.` }],
  })
  backend = await startBackend({ engines: { transcriber: { ...transcriber, transcribe }, summarizer } })
  microphone = (await speechFile(['en-librivox-1'])).path
})
after(() => backend.stop())

const query = async (text: string, values: unknown[] = []) =>
  (await backend.database.pool.query(text, values)).rows

/** Records and sends; returns the link of the receipt, at the address of this server. */
async function record(page: Page): Promise<URL> {
  await startRecording(page)
  await page.waitForTimeout(2_000)
  for (const step of ['review', 'thanks']) {
    await page.click('.actions .primary')
    await untilStep(page, step)
  }
  const link = new URL((await page.locator('.link a').getAttribute('href')) ?? '')
  return new URL(`${link.pathname}${link.search}${link.hash}`, backend.url)
}

const idOf = (receipt: URL): string => receipt.searchParams.get('conversation') ?? ''

/** Parts from the middle of every file of a conversation: its chunks, and the whole that was made of them. */
async function samplesOf(id: string): Promise<Buffer[]> {
  const paths = (await filesBelow(backend.filesFolder)).filter((path) => path.includes(id))
  const files = await Promise.all(paths.map((path) => readFile(path)))
  return files.map((bytes) => bytes.subarray(bytes.length / 2, bytes.length / 2 + 64))
}

async function pathsWith(samples: Buffer[]): Promise<string[]> {
  const paths = await filesBelow(backend.filesFolder)
  const files = await Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(path) })))
  return files.filter(({ bytes }) => samples.some((sample) => bytes.includes(sample))).map(({ path }) => path)
}

async function withdraw(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Withdraw now' }).click()
  await page.getByText('Everything you said or wrote is being erased').waitFor()
  assert.equal(await page.locator('h1').innerText(), 'Withdrawn')
}

async function assertNothingIsLeft(portal: Portal, receipt: URL, samples: Buffer[]): Promise<void> {
  const id = idOf(receipt)
  await until(
    () => query('select erased_at from conversations where id = $1', [id]),
    ([row]) => row.erased_at !== null,
  )
  const participant = participantOf(backend.url, id, receipt.hash.slice(1))
  for (const path of ['', '?tail=600']) assert.equal((await participant('GET', path)).status, 404)
  for (const path of ['', '/transcript', '/segments', '/audio'])
    assert.equal((await portal.owner.get(`/api/v2/conversations/${id}${path}`)).status, 404, path)
  const list = (await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations?q=${SAID}`)).body
  assert.ok(!JSON.stringify(list).includes(id))
  for (const table of ['chunks', 'segments', 'text_entries', 'conversation_words', 'removed_segments'])
    assert.deepEqual(await query(`select * from ${table} where conversation_id = $1`, [id]), [], table)
  assert.deepEqual(await pathsWith(samples), [])
  // The note of the erasure, which a restored backup needs, is all that has its id.
  const left = (await filesBelow(backend.filesFolder)).filter((path) => path.includes(id))
  assert.deepEqual(left, [join(backend.filesFolder, 'files/erasures', id)])
  assert.equal(await readFile(left[0] as string, 'utf8'), 'erased\n')
}

test('after a withdrawal nothing is left on the server or on the phone', async () => {
  const portal = await newPortal(backend, { ask_name: true })
  await using phone = await newPhone(microphone)
  await using another = await newPhone(microphone)
  const address = `${backend.url}/p/${portal.projectId}?name=${NAMED}`
  const pages = await Promise.all([phone.open(address), phone.open(address)])
  const receipts = (await Promise.all(pages.map(record))) as [URL, URL]
  await until(
    () => query(`select id from conversations where project_id = $1 and status = 'done'`, [portal.projectId]),
    ({ length }) => length === 2,
  )
  for (const receipt of receipts) {
    const audio = () =>
      fetch(`${backend.url}/api/v2/conversations/${idOf(receipt)}/audio`, {
        headers: { authorization: `Bearer ${portal.owner.token}` },
      })
    await until(audio, ({ status }) => status === 200)
  }
  const samples = await Promise.all(receipts.map((receipt) => samplesOf(idOf(receipt))))
  // Chunks and the whole, so that the search below looks for something that was there.
  for (const own of samples) assert.ok(own.length >= 2 && (await pathsWith(own)).length >= 2)
  for (const word of [SAID, NAMED])
    assert.ok((await findWord(word, backend.database.pool, backend.filesFolder)).length > 0, word)

  await withdraw(await phone.open(receipts[0].href))
  await assertNothingIsLeft(portal, receipts[0], samples[0] ?? [])
  // The other one is untouched, and its link of an earlier version works on any device.
  assert.equal((await portal.owner.get(`/api/v2/conversations/${idOf(receipts[1])}`)).status, 200)
  const old = await another.open(`${backend.url}/withdraw/${idOf(receipts[1])}${receipts[1].hash}`)
  await withdraw(old)
  await assertNothingIsLeft(portal, receipts[1], samples[1] ?? [])

  for (const word of [SAID, NAMED])
    assert.deepEqual(await findWord(word, backend.database.pool, backend.filesFolder), [], word)
  const onPhone = await phone.open(address)
  await onPhone.evaluate(readFileSync(join(import.meta.dirname, 'in-page/list-kept.js'), 'utf8'))
  const kept = await onPhone.evaluate<string[]>('listKept()')
  // Only the page itself, which opens without a network.
  assert.deepEqual(
    kept.filter((name) => !/^cache: \/p\/(assets\/|[0-9a-f-]{36}(\/withdraw)?$)/.test(name)),
    [],
  )
})

test('a receipt with another token, or none, erases nothing', async () => {
  const portal = await newPortal(backend)
  await using phone = await newPhone(microphone)
  const receipt = await record(await phone.open(`${backend.url}/p/${portal.projectId}`))
  for (const hash of ['', '#wrong', `#${'A'.repeat(32)}`]) {
    const page = await phone.open(`${receipt.href.split('#')[0]}${hash}`)
    await page.getByRole('button', { name: 'Withdraw now' }).click()
    await page.getByText('This link is not valid').waitFor()
    await page.close()
  }
  assert.equal((await portal.owner.get(`/api/v2/conversations/${idOf(receipt)}`)).status, 200)
})
