import assert from 'node:assert/strict'
import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { isOpenToOthers } from '../../server/embedded/service-account.ts'
import { leftovers, startService, temporaryFolder } from '../support/service.ts'

const OTHER_UID = 65534
const isRoot = process.getuid?.() === 0
const reachable = await isOpenToOthers(import.meta.dirname)

it('runs as an ordinary user', {
  skip: !(isRoot && reachable) && 'needs root to switch accounts, and a checkout that others can read',
}, async () => {
  const folder = await temporaryFolder()
  await chown(folder, OTHER_UID, OTHER_UID)
  const service = await startService(join(folder, 'own data'), { uid: OTHER_UID })
  assert.equal((await fetch(`${service.address('Backend')}/api/ready`)).status, 200)
  assert.equal((await stat(join(folder, 'own data/postgres'))).uid, OTHER_UID)
  await service.stop()
  assert.deepEqual(await leftovers(join(folder, 'own data')), [])
})

it('runs as root in a private home folder', { skip: !isRoot && 'needs root' }, async () => {
  const folder = await mkdtemp(join(homedir(), 'parley private '))
  const service = await startService(folder)
  assert.equal((await fetch(`${service.address('Backend')}/api/ready`)).status, 200)
  assert.notEqual((await stat(join(folder, 'postgres'))).uid, 0)
  await service.stop()
  await rm(folder, { recursive: true })
})
