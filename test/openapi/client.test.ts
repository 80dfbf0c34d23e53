import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { request, startBackend } from '../support/backend.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { startReceiver } from '../support/receiver.ts'

const ROOT = join(import.meta.dirname, '../..')

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const backend = await startBackend({ engines })
const receiver = await startReceiver()
const folder = await mkdtemp(join(tmpdir(), 'parley-client-'))
after(async () => {
  await receiver.close()
  await backend.stop()
  await rm(folder, { recursive: true })
})

/** As strict as Parley's own code; the generated file is checked, too. */
const TSCONFIG = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: { lib: ['esnext', 'dom'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  include: ['*.ts'],
}

/** Generates a client as users do: types from the document, and `openapi-fetch`. */
async function generateClient(): Promise<void> {
  const { body } = await request(`${backend.url}/api/openapi.json`, 'GET')
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const nodes = await openapiTS(body, {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'schema.ts'), astToString(nodes))
  await copyFile(join(import.meta.dirname, 'tour.ts.txt'), join(folder, 'tour.ts'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
}

async function signIn(email: string, password: string): Promise<string> {
  const { body } = await request(`${backend.identityUrl}/auth/login`, 'POST', { email, password })
  return body.access_token
}

/** The compiler takes minutes on a busy machine. */
const GENEROUS = { timeout: 600_000 }

test(
  'a generated TypeScript client compiles strictly and runs the tour of the README',
  GENEROUS,
  async () => {
    await generateClient()
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const compiled = await promisify(execFile)(tsc, ['-p', folder]).catch((error) => error)
    assert.equal(compiled.stdout, '')

    const token = await signIn(backend.admin.email, backend.admin.password)
    const colleague = await request(
      `${backend.identityUrl}/users`,
      'POST',
      { email: 'ada@example.com', password: 'correct horse', first_name: 'Ada' },
      { authorization: `Bearer ${token}` },
    )
    const audio = join(folder, 'chunk.wav')
    await writeFile(audio, wavOf('More benches near the water, please.\nThe park closes too early.'))
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'tour.ts')], {
      env: {
        BASE: backend.url,
        TOKEN: token,
        COLLEAGUE: colleague.body.data.id,
        THEIRS: await signIn('ada@example.com', 'correct horse'),
        AUDIO: audio,
        RECEIVER: receiver.url,
      },
    })
    const { text, markdown, copyable, ...seen } = JSON.parse(stdout)
    assert.deepEqual(seen, {
      staff: true,
      location: true,
      chunk: 0,
      missing: [1],
      status: 'done',
      said: ['More benches near the water, please.', 'The park closes too early.'],
      notModified: 304,
      isOpen: false,
      refused: [403, 'capability_required'],
      tierSet: true,
      secret: true,
      tested: true,
    })
    assert.match(text, /More benches near the water/)
    assert.match(markdown, /What people told us/)
    assert.match(copyable, /# Webhook [\s\S]*\n## Receivers\n/)
  },
)
