import { once } from 'node:events'
import type { Container } from '../../server/transcription/transcriber.ts'
import { decodeFile } from './decode-file.ts'
import { EXIT_NEEDS_FFMPEG, EXIT_UNAVAILABLE, EXIT_UNREADABLE } from './decoder-process.ts'
import { NeedsFfmpeg, Unreadable } from './read-track.ts'

/**
 * A process of its own: `decoder-main.ts <container> <file> <samples>` writes the file's audio to stdout, mono, 16 kHz,
 * float, without the first so many samples.
 */
async function writeToStdout(samples: Float32Array): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

// The reader has exited, perhaps killed: the rest of the audio is not needed.
process.stdin.resume().on('end', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))

const [container, path, skip] = process.argv.slice(2) as [Container, string, string]
try {
  await decodeFile(container, path, Number(skip), writeToStdout)
  process.stdout.end(() => process.exit(0))
} catch (error) {
  const reason = error instanceof Unreadable ? error.message : `its bytes are no ${container}`
  process.stderr.write(reason, () => process.exit(exitCodeOf(error)))
}

function exitCodeOf(error: unknown): number {
  if (error instanceof NeedsFfmpeg) return EXIT_NEEDS_FFMPEG
  return error instanceof Error && 'errno' in error ? EXIT_UNAVAILABLE : EXIT_UNREADABLE
}
