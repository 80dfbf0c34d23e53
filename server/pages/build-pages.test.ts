import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFile, cp, mkdtemp, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { StartupError } from '../../platform/startup-error.ts'
import { buildPages } from './build-pages.ts'
import { readPortal } from './built-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'parley pages '))
after(() => rm(folder, { recursive: true }))

const web = join(folder, 'web')
const dist = join(web, 'dist')
const build = () => buildPages(join(web, 'build.ts'))
const isBuild = (path: string) => basename(path).startsWith('dist')

test('a checkout without a build gets one, and one that was updated gets a new one', async () => {
  await cp(join(ROOT, 'web'), web, { recursive: true, filter: (path) => !isBuild(path) })
  await cp(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // Nothing here is about the dashboard, which takes most of the time of a build.
  await writeFile(join(web, 'dashboard/main.tsx'), `document.title = 'Parley'\n`)
  assert.throws(() => readPortal(dist), /The pages are not built. Run `npm run build`/)
  await build()
  const first = readPortal(dist)
  assert.ok(first.assets.size > 10 && first.catalogueOf('uk'))
  for (const { gzip, brotli, plain } of first.assets.values())
    assert.ok(gzip && brotli && brotli.length < gzip.length && gzip.length < plain.length)
  assert.equal((await stat(dist)).mode & 0o777, 0o755)

  const { mtimeMs } = await stat(join(dist, 'built-from'))
  await build()
  assert.equal((await stat(join(dist, 'built-from'))).mtimeMs, mtimeMs)

  await appendFile(join(web, 'portal/ui/styles.css'), '.added-later { color: red }\n')
  await build()
  const style = [...readPortal(dist).assets].find(([name]) => name.endsWith('.css'))?.[1]
  assert.match(style?.plain.toString() ?? '', /added-later/)
})

test('a build that fails says why, and leaves the earlier one', async () => {
  await appendFile(join(web, 'portal/main.ts'), `import './${'missing'}.ts'\n`)
  await assert.rejects(build(), (error: Error) => {
    assert.ok(error instanceof StartupError)
    assert.match(error.message, /^The pages could not be built\. .*\n.*Could not resolve.*missing\.ts/)
    assert.match(error.message, /Run `npm run build` in /)
    return true
  })
  assert.ok(readPortal(dist).assets.size > 10)
})

test('an installation without the packages says that `npm ci` is needed', async () => {
  await unlink(join(folder, 'node_modules'))
  await assert.rejects(build(), /Run `npm ci` in .*\n.*Cannot find package 'vite'/)
  assert.equal((await readFile(join(dist, 'built-from'), 'utf8')).length, 64)
})

test('an installation of some packages, without those of the pages, starts with a warning', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(web, 'build.ts')], {
    env: { ...process.env, npm_lifecycle_event: 'postinstall' },
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  assert.match(stderr, /^The pages are not built: install the workspace "web"/)
})
