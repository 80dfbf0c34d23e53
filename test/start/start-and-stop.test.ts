import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Caller } from '../support/backend.ts'
import {
  asAdmin,
  launchService,
  leftovers,
  type Service,
  startService,
  takePort,
  temporaryFolder,
} from '../support/service.ts'
import { until } from '../support/webhooks.ts'

const folder = await temporaryFolder()

/** The password that the first start printed; later tests sign in with it. */
let password = ''

const namesOf = async (caller: Caller): Promise<string[]> =>
  (await caller.get('/api/v2/organisations')).body.data.map(
    (organisation: { name: string }) => organisation.name,
  )

describe('the service', { concurrency: false }, () => {
  it('starts on an empty folder by npm start, prints the first password once, and exits with 0 on Ctrl-C', async () => {
    const service = await startService(folder, { viaNpm: true })
    password = /Password +(\S+)/.exec(service.output())?.[1] ?? ''
    assert.equal(service.output().split(password).length, 2)
    const admin = await asAdmin(service, password)
    assert.equal((await admin.post('/api/v2/organisations', { name: 'First' })).status, 201)
    service.signalGroup('SIGINT')
    assert.equal((await service.ended).code, 0, service.output())
    assert.deepEqual(await leftovers(folder), [])
  })

  it('exits with 0 when Ctrl-C interrupts its first start, and the next start succeeds', async () => {
    const fresh = await temporaryFolder()
    for (const moment of ['Starting', 'migrations applied']) {
      const service = launchService(fresh)
      await service.printed(moment)
      service.signalGroup('SIGINT')
      assert.equal((await service.ended).code, 0, service.output())
      assert.doesNotMatch(service.output(), /could not start/i)
      // The children of initdb end a moment later.
      await until(
        () => leftovers(fresh),
        (left) => left.length === 0,
      )
    }
    const service = await startService(fresh)
    assert.equal((await fetch(`${service.address('Backend')}/api/ready`)).status, 200)
    await service.stop()
    assert.deepEqual(await leftovers(fresh), [])
  })

  it('runs the worker alone where ROLES says so', async () => {
    const service = await startService(folder, { environment: { ROLES: 'worker' } })
    assert.deepEqual([service.address('Backend'), service.address('Identity store')], ['', ''])
    assert.equal((await fetch(`${service.address('Metrics')}/metrics`)).status, 200)
    await service.stop()
    assert.deepEqual(await leftovers(folder), [])
  })

  describe('that runs', { concurrency: false }, () => {
    let service: Service
    const environment: Record<string, string> = {
      ADMIN_PASSWORD: 'canary-password-1',
      IDENTITY_SECRET: 'canary-secret-that-is-long-enough-1',
    }
    before(async () => {
      const { port, release } = await takePort()
      await release()
      environment['IDENTITY_PORT'] = String(port)
      service = await startService(folder, { environment })
    })

    it('lists the settings that differ from their default and shows no secret', () => {
      assert.match(service.output(), /ADMIN_PASSWORD=\*{8}\n/)
      assert.match(service.output(), / PORT=0\n/)
      assert.doesNotMatch(service.output(), /HOST=|TIER_GATES=/)
      assert.doesNotMatch(service.output(), /canary/)
    })

    it('is left alone by a second start on the same folder, which fails', async () => {
      const second = launchService(folder)
      assert.equal((await second.ended).code, 1)
      assert.match(second.output(), /Another Parley is running .*DATA_DIR/)
      assert.equal((await fetch(`${service.address('Backend')}/api/ready`)).status, 200)
    })

    it('is killed: the next start takes over its PostgreSQL with all data, and kills its identity store that hangs', async () => {
      const admin = await asAdmin(service, password)
      await admin.post('/api/v2/organisations', { name: 'Before the kill' })
      const postmaster = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')
      const store = Number(await readFile(join(folder, 'identity.pid'), 'utf8'))
      process.kill(store, 'SIGSTOP')
      service.child.kill('SIGKILL')
      await service.gone

      const next = await startService(folder, { environment })
      assert.doesNotMatch(next.output(), /Password /)
      assert.deepEqual(await namesOf(await asAdmin(next, password)), ['Before the kill', 'First'])
      const now = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')
      assert.equal(now.split('\n')[0], postmaster.split('\n')[0], 'the same PostgreSQL keeps running')
      assert.equal(next.address('Identity store'), service.address('Identity store'))
      await next.stop()
      assert.deepEqual(await leftovers(folder), [])
    })
  })

  for (const variable of ['PORT', 'IDENTITY_PORT', 'METRICS_PORT']) {
    it(`says to set ${variable} when that port is taken, and leaves nothing running`, async () => {
      const taken = await takePort()
      const service = launchService(folder, { environment: { [variable]: String(taken.port) } })
      const { code } = await service.ended
      await taken.release()
      assert.equal(code, 1)
      assert.match(service.output(), new RegExp(`Port ${taken.port}\\b.*in use.*Set ${variable} to`))
      assert.doesNotMatch(service.output(), /frames|\n {4}at /)
      assert.deepEqual(await leftovers(folder), [])
    })
  }

  it('names every wrong setting in one message', async () => {
    const environment = {
      PORT: 'eighty',
      TIER_GATES: 'maybe',
      ALLOWED_ORIGINS: 'example.com',
      IDENTITY_URL: 'http://127.0.0.1:1',
    }
    const service = launchService(folder, { environment })
    assert.equal((await service.ended).code, 1)
    for (const name of ['PORT', 'TIER_GATES', 'ALLOWED_ORIGINS', 'IDENTITY_SECRET'])
      assert.match(service.output(), new RegExp(`- ${name}: `))
  })
})
