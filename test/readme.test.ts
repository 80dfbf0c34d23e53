import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { newPassword, removeFolder, type Service, startService, temporaryFolder } from './support/service.ts'

let folder: string
let service: Service
const password = newPassword()
before(async () => {
  folder = await temporaryFolder()
  service = await startService(folder, { environment: { ADMIN_PASSWORD: password } })
})
after(async () => {
  service.child.kill('SIGTERM')
  await service.ended
  await removeFolder(folder)
})

test('the commands of the README work as written', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const script = [...readme.matchAll(/```sh\n(.*?)```/gs)]
    .map((match) => match[1])
    .join('\necho\n')
    .replace('http://127.0.0.1:8000', service.address('Backend'))
    .replace('http://127.0.0.1:8055', service.address('Identity store'))
    .replace('the password that was printed', password)
  const environment = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: environment,
  })
  assert.match(stdout, /"staff":true/)
  assert.match(stdout, /"name":"A park for all","language":"nl"/)
  assert.match(stdout, /"is_open":false/)
  assert.match(stdout, /"name":"Ada","email":"ada@example.com","role":"observer"/)
  assert.match(stdout, /"code":"capability_required"/)
  assert.match(stdout, /"tier":"changemaker"/)
  assert.match(stdout, /"delivery_id":"[0-9a-f-]{36}","success":(true|false)/)
  assert.match(stdout, /# Webhook [\s\S]*\n## Receivers\n/)
  assert.match(stdout, /"action":"workspace.tier_set".*"reason":"A trial for the city"/)
})
