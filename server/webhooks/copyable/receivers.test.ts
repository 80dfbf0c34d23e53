import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { request, startBackend } from '../../../test/support/backend.ts'
import {
  deliveriesOf,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

const PROJECT = `'; touch pwned; '$(touch pwned)\`touch pwned\` "quay" {{EXAMPLE}} $& \\ %s 🗝`
const SECRET = `pä$$ 'quoted' "twice" $(touch pwned) 🗝`

const children = new Set<ChildProcess>()
const backend = await startBackend({ worker: true })
const tenant = await newWebhookTenant(backend)
await tenant.owner.send('PATCH', `/api/v2/projects/${tenant.project}`, { name: PROJECT })
const { id } = await newWebhook(tenant, { url: PUBLIC, events: ['report.generated'], secret: SECRET })
const { receivers } = (await tenant.owner.get(`${webhooksOf(tenant)}/${id}/copyable`)).body
const folder = await mkdtemp(join(tmpdir(), 'parley-receivers-'))
await writeFile(join(folder, 'receiver.mjs'), receivers.node)
await writeFile(join(folder, 'receiver.py'), receivers.python)
await writeFile(join(folder, 'send.sh'), receivers.curl)
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await backend.stop()
  await rm(folder, { recursive: true })
})

interface Running {
  url: string
  /** The next line that it prints. */
  line(): Promise<string>
}

/** Starts a receiver as its documentation says. */
async function run(language: string, secret: string): Promise<Running> {
  const [command, file] =
    language === 'node' ? [process.execPath, 'receiver.mjs'] : ['python3', 'receiver.py']
  const env = { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: secret }
  const child = spawn(command, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  children.add(child)
  const lines = linesOf(child.stdout)
  const line = async () => String((await lines.next()).value)
  const [, port] = /^listening on port (\d+)$/.exec(await line()) ?? []
  if (port === undefined) throw new Error('the receiver did not start')
  return { url: `http://127.0.0.1:${port}`, line }
}

/** Splits only at newlines; readline also splits at U+2028. */
async function* linesOf(output: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const part of output.setEncoding('utf8')) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function deliverTo(url: string) {
  const { id } = await newWebhook(tenant, { url, events: ['conversation.summarized'], secret: SECRET })
  await emitNow(backend, newEventOf('conversation.summarized', tenant.project, { transcript: 'é 🗝 \u2028' }))
  const [delivery] = await deliveriesOf(tenant, id)
  const detail = await tenant.owner.get(`${webhooksOf(tenant)}/${id}/deliveries/${delivery.id}`)
  await tenant.owner.send('DELETE', `${webhooksOf(tenant)}/${id}`)
  return detail.body
}

const signed = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex')

for (const language of ['node', 'python']) {
  test(`the ${language} receiver accepts a delivery that is signed with its secret`, async () => {
    const receiver = await run(language, SECRET)
    const delivery = await deliverTo(receiver.url)
    assert.deepEqual([delivery.status, delivery.last_status], ['succeeded', 204])
    const event = JSON.parse(delivery.payload)
    const [type, id, ...data] = (await receiver.line()).split(' ')
    assert.deepEqual([type, id, JSON.parse(data.join(' '))], [event.type, event.id, event.data])
  })

  test(`the ${language} receiver refuses a delivery that is signed with another secret with 401`, async () => {
    const receiver = await run(language, `${SECRET}x`)
    const delivery = await deliverTo(receiver.url)
    assert.deepEqual([delivery.attempts, delivery.last_status, delivery.last_error], [1, 401, 'status'])
  })

  test(`the ${language} receiver refuses forged signatures and continues to work`, async () => {
    const { url } = await run(language, SECRET)
    const body = '{"type":"t","id":"i","data":{}}'
    const right = signed(body)
    const forgeries: [what: string, headers: Record<string, string>, body: string][] = [
      ['no signature', {}, body],
      ['an empty one', { 'x-service-signature': '' }, body],
      ['a short one', { 'x-service-signature': right.slice(0, -2) }, body],
      ['a long one', { 'x-service-signature': `${right}00` }, body],
      ['another one', { 'x-service-signature': signed(body, 'x') }, body],
      ['one beyond ASCII', { 'x-service-signature': 'é'.repeat(64) }, body],
      ['one of another body', { 'x-service-signature': right }, `${body} `],
    ]
    for (const [what, headers, sent] of forgeries)
      assert.equal((await request(url, 'POST', sent, headers)).status, 401, what)
    assert.equal((await request(url, 'POST', body, { 'x-service-signature': right })).status, 204)
  })

  test(`the ${language} receiver accepts nothing without a secret, because anyone can sign with an empty key`, async () => {
    const { url } = await run(language, '').catch(() => ({ url: null }))
    if (url === null) return
    const { status } = await request(url, 'POST', '{}', { 'x-service-signature': signed('{}', '') })
    assert.equal(status, 401)
  })

  test(`the ${language} receiver responds on a kept-alive connection until it announces its close`, async () => {
    const { url } = await run(language, SECRET)
    const body = '{"type":"t","id":"i","data":{}}'
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    const responseTo = async (signature: string) => {
      const head = `Host: x\r\nContent-Length: ${body.length}\r\nX-Service-Signature: ${signature}`
      socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n${body}`)
      const [response] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
      return String(response)
    }
    assert.match(await responseTo(signed(body)), /^HTTP\/1.1 204 /)
    const refused = await responseTo('another')
    assert.match(refused, /^HTTP\/1.1 401 /)
    if (!/^connection: close\r$/im.test(refused))
      assert.match(await responseTo(signed(body)), /^HTTP\/1.1 204 /)
    socket.destroy()
  })

  test(`the ${language} receiver survives a sender that disconnects in the middle of a request`, async () => {
    const { url } = await run(language, SECRET)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"half":')
    // The response to another request shows that the incomplete one was read.
    assert.equal((await request(url, 'POST', '{}')).status, 401)
    socket.resetAndDestroy()
    for (let again = 0; again < 5; again++) assert.equal((await request(url, 'POST', '{}')).status, 401)
  })
}

/** Runs the script as its documentation says. */
function sendByCurl(
  receiver: string,
  secret: string,
  ...args: string[]
): Promise<{ code: number; stdout: string }> {
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, RECEIVER: receiver }
  return new Promise((resolve) => {
    const child = execFile('sh', ['send.sh', ...args], { cwd: folder, env }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, stdout }),
    )
  })
}

test('the curl script sends the body of a delivery with a valid signature, and fails with a wrong secret', async () => {
  const receiver = await run('node', SECRET)
  const { payload } = await deliverTo(receiver.url)
  await receiver.line()
  await writeFile(join(folder, 'event.json'), payload)
  assert.deepEqual(await sendByCurl(receiver.url, SECRET, 'event.json'), { code: 0, stdout: '204\n' })
  assert.match(await receiver.line(), new RegExp(JSON.parse(payload).id))
  const wrong = await sendByCurl(receiver.url, 'another', 'event.json')
  assert.notEqual(wrong.code, 0)
  assert.equal(wrong.stdout, '401\n')
})

test('the curl script sends its example unchanged, and the shell does not execute any of it', async () => {
  for (const language of ['node', 'python']) {
    const receiver = await run(language, SECRET)
    assert.deepEqual(await sendByCurl(receiver.url, SECRET), { code: 0, stdout: '204\n' })
    const line = await receiver.line()
    assert.equal(JSON.parse(line.slice(line.indexOf('{'))).project_name, PROJECT)
    assert.notEqual((await sendByCurl(receiver.url, 'another')).code, 0)
  }
  assert.equal(existsSync(join(folder, 'pwned')), false)
})
