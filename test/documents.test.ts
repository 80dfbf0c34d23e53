import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { newEncryptionKey } from '../platform/encryption.ts'
import { testDatabase } from './support/database.ts'
import { fakeBrowser, importExample, recordAsDocumented, TOURS, takeTour } from './support/documents.ts'
import { asAdmin, newPassword, startService, temporaryFolder } from './support/service.ts'
import { newTenantOf } from './support/tenants.ts'

const password = newPassword()
const database = await testDatabase()
const service = await startService(await temporaryFolder(), {
  environment: { ADMIN_PASSWORD: password, DATABASE_URL: database.url, ENCRYPTION_KEY: newEncryptionKey() },
})
after(async () => {
  await service.stop()
  await database.drop()
})

const ROOT = join(import.meta.dirname, '..')

for (const path of Object.keys(TOURS))
  test(`every command of ${path} works as printed`, () =>
    takeTour(path, {
      backend: service.address('Backend'),
      identityStore: service.address('Identity store'),
      password,
    }))

test('the recording example of the documents sends every chunk and finishes', async () => {
  const { project } = await newTenantOf(await asAdmin(service, password))
  await fakeBrowser()
  const { status } = await recordAsDocumented(service.address('Backend'), project)
  assert.equal(status, 'transcribing')
})

test('the signature example of the documents accepts both secrets of a rotation and no other', async () => {
  const { isGenuine } = await importExample('docs/webhooks.md', (code) => `${code}\nexport { isGenuine }`)
  const body = Buffer.from('{"id": 1}')
  const signature = createHmac('sha256', 'secret').update(body).digest('hex')
  const checks = [
    [{ 'x-service-signature': signature }, true],
    [{ 'x-service-signature': '0'.repeat(64), 'x-service-signature-previous': signature }, true],
    [{ 'x-service-signature': '0'.repeat(64) }, false],
    [{}, false],
  ]
  for (const [headers, expected] of checks) assert.equal(isGenuine(body, headers, 'secret'), expected)
})

test('every link between documents leads to a file and a heading', () => {
  const files = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').replaceAll(/```.*?```/gs, '')
  const headingsOf = (file: string) =>
    [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const broken = files.flatMap((file) =>
    [...textOf(file).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)]
      .filter(([, path = '', heading = '']) => {
        const target = path === '' ? file : join(dirname(file), path)
        return !existsSync(join(ROOT, target)) || (heading !== '' && !headingsOf(target).includes(heading))
      })
      .map(([link]) => `${file}: ${link}`),
  )
  assert.deepEqual(broken, [])
})
