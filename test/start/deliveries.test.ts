import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction, openDatabase } from '../../database/database.ts'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { createEmitter } from '../../server/webhooks/index.ts'
import { testDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { asAdmin, newPassword, type Service, startService, temporaryFolder } from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { conversationStarted, until } from '../support/webhooks.ts'

const folder = await temporaryFolder()
const database = await testDatabase()
const receiver = await startReceiver()
const password = newPassword()
const key = newEncryptionKey()
after(async () => {
  await receiver.close()
  await database.drop()
})

const start = () =>
  startService(folder, {
    environment: {
      ADMIN_PASSWORD: password,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: key,
      TIER_GATES: 'off',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.1',
    },
  })

async function newProject(service: Service): Promise<string> {
  const admin = await asAdmin(service, password)
  const { project } = await newTenantOf(admin)
  const body = { url: receiver.url, events: ['conversation.started'] }
  assert.equal((await admin.post(`/api/projects/${project}/webhooks`, body)).status, 201)
  return project
}

test('a delivery without a response does not delay the stop, and is sent again after the next start', async () => {
  const first = await start()
  const project = await newProject(first)
  const opened = openDatabase({ url: database.url, schema: 'parley', applicationName: 'test' })
  const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: false })
  const deliveries = async () => (await opened.pool.query('select status, attempts from deliveries')).rows
  receiver.respond = () => {}
  await inTransaction(opened.db, (tx) => emit(tx, conversationStarted(project)))
  await receiver.got(1)

  await first.stop()
  // A stop that waited for the timeout of the request would have counted the attempt.
  assert.deepEqual(await deliveries(), [{ status: 'pending', attempts: 0 }])

  receiver.respond = (response) => void response.writeHead(204).end()
  const second = await start()
  await until(deliveries, ([row]) => row.status === 'succeeded')
  const [cut, whole] = receiver.received
  assert.deepEqual(whole?.body, cut?.body)
  assert.deepEqual(
    [cut, whole].map((one) => one?.headers['x-service-attempt']),
    ['1', '1'],
  )
  await opened.close()
  await second.stop()
})
