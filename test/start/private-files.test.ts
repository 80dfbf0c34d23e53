import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newConversation, participantOf } from '../support/conversations.ts'
import { wavOf } from '../support/engines.ts'
import {
  asAdmin,
  newPassword,
  removeFolder,
  type Service,
  startService,
  temporaryFolder,
} from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { tusClient } from '../support/uploads.ts'
import { until } from '../support/webhooks.ts'

/** An account that owns nothing here; not `nobody`, under which PostgreSQL can run. */
const STRANGER = 54_321
const isRoot = process.getuid?.() === 0

/** Of these paths, those that the stranger can read. */
function readableByStranger(paths: string[]): string[] {
  const script = 'for path; do [ -r "$path" ] && printf "%s\\n" "$path"; done; exit 0'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...paths], {
    uid: STRANGER,
    gid: STRANGER,
    cwd: '/',
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

/** A folder and everything below it. */
async function treeOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return [folder, ...names.map((name) => join(folder, name))]
}

/** Those with permissions for other accounts, with their modes. PostgreSQL removes some of its files while we look. */
async function tooOpen(paths: string[], allowed = 0): Promise<string[]> {
  const open: string[] = []
  for (const path of paths) {
    const { mode } = await stat(path).catch(() => ({ mode: 0 }))
    if ((mode & 0o077 & ~allowed) !== 0) open.push(`${(mode & 0o777).toString(8)} ${path}`)
  }
  return open
}

const umaskOf = async (pid: number | string): Promise<string | undefined> =>
  /^Umask:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]

describe('files of the service', { concurrency: false }, () => {
  const password = newPassword()
  let folder: string
  let dataDir: string
  let service: Service
  before(async () => {
    folder = await temporaryFolder()
    await chmod(folder, 0o755)
    dataDir = join(folder, 'data')
    // As an earlier version left them.
    const old = join(dataDir, 'files/files/conversations/aa/old')
    await mkdir(old, { recursive: true })
    await writeFile(join(old, '0-chunk'), 'a recording')
    await writeFile(join(dataDir, 'postgres.log'), '')
    for (const path of await treeOf(dataDir))
      await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644)
    service = await startService(dataDir, { environment: { ADMIN_PASSWORD: password } })
  })
  after(async () => {
    await service.stop()
    await removeFolder(folder)
  })

  it('can’t be read by other accounts, whether recorded, uploaded, or left by an earlier version', async () => {
    const admin = await asAdmin(service, password)
    const { project } = await newTenantOf(admin)
    const backendUrl = service.address('Backend')
    const url = `${backendUrl}/api/participant/projects/${project}`
    const { id, token } = await newConversation({ url, backend: { url: backendUrl } } as never)
    const send = participantOf(backendUrl, id, token)
    assert.equal((await send('PUT', '/chunks/0', wavOf('private'))).status, 201)
    const uploads = tusClient(backendUrl, `/api/participant/conversations/${id}/uploads`, {
      'x-participant-token': token,
    })
    assert.equal((await uploads.upload(wavOf('more'))).reply.status, 204)
    const half = wavOf('half')
    const begun = await uploads.begin(half.length)
    await uploads.patch(String(begun.headers.get('location')), 0, half.subarray(0, 100))
    const paths = await until(
      () => treeOf(dataDir),
      (all) => all.filter((path) => path.includes(`${id}/`)).length >= 4,
    )
    if (isRoot) {
      const control = join(folder, 'control')
      await writeFile(control, 'x', { mode: 0o644 })
      await chmod(control, 0o644)
      assert.deepEqual(readableByStranger([control]), [control])
      assert.deepEqual(readableByStranger(paths), [])
    }
    // As root, PostgreSQL's account must be able to pass through to its own folder.
    assert.deepEqual(await tooOpen([dataDir], isRoot ? 0o011 : 0), [])
    const repaired = await until(
      async () => tooOpen((await treeOf(dataDir)).slice(1)),
      (open) => open.length === 0,
    )
    assert.deepEqual(repaired, [])
  })

  it('are made private by every process, whatever umask the service was started with', async () => {
    const identity = (await readFile(join(dataDir, 'identity.pid'), 'utf8')).trim()
    const postgres = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0] ?? ''
    for (const pid of [service.child.pid as number, identity, postgres])
      assert.equal(await umaskOf(pid), '0077')
  })

  it('are reached by PostgreSQL’s own account without a further capability', {
    skip: !isRoot && 'needs root',
  }, async () => {
    const postgres = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0] ?? ''
    const status = await readFile(`/proc/${postgres}/status`, 'utf8')
    assert.match(status, /^CapEff:\s*0+$/m)
    assert.equal((await stat(dirname(join(dataDir, 'postgres/x')))).mode & 0o777, 0o700)
  })
})
