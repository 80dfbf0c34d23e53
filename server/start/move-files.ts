import { parseArgs } from 'node:util'
import { moveFiles } from '../../storage/move-files.ts'
import { openFileStore } from '../../storage/open-store.ts'
import { readConfig } from '../config.ts'

/**
 * `npm run files:move -- --from file:///data/files --to s3://bucket/prefix`: copies all files to another store while the service runs.
 * See docs/operations.md.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    remove: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
  },
})
const { from, to, remove, verify } = values
if (from === undefined || to === undefined || from === to) {
  console.error('Usage: npm run files:move -- --from URL --to URL [--verify] [--remove]')
  process.exit(2)
}

const SHOW_EVERY_MS = 5_000
const environment = { ...process.env, FILES_URL: to, FILES_PREVIOUS_URL: from }
try {
  const settings = readConfig(environment)
  const s3 = {
    endpoint: settings.S3_ENDPOINT ?? null,
    region: settings.S3_REGION,
    accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
  }
  const [source, target] = [await openFileStore(from, s3), await openFileStore(to, s3)]
  let shown = performance.now()
  const show = ({
    copied,
    copiedBytes,
    present,
    erased,
    removed,
  }: Parameters<Parameters<typeof moveFiles>[0]['onProgress']>[0]) =>
    console.log(
      `${copied} files copied (${Math.round(copiedBytes / 1e6)} MB), ${present} already there, ${erased} erased before they were copied, ${removed} removed from the source`,
    )
  const progress = await moveFiles({
    from: source,
    to: target,
    remove,
    verify,
    onProgress: (now) => {
      if (performance.now() - shown < SHOW_EVERY_MS) return
      shown = performance.now()
      show(now)
    },
  })
  show(progress)
  await source.close()
  await target.close()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
