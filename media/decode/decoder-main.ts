import { once } from 'node:events'
import type { Container } from '../containers/container.ts'
import { decodeFile } from './decode-file.ts'
import { EXIT_NEEDS_FFMPEG, EXIT_UNAVAILABLE, EXIT_UNREADABLE } from './exit-codes.ts'
import { NeedsFfmpeg, Unreadable } from './read-track.ts'

/**
 * The decoder process: `decoder-main.ts <container> <file> <skip>` writes mono 32-bit floats at 16 kHz to stdout, without the first
 * `skip` samples. Node's permission model lets it read only its own code and the file.
 */
async function writeToStdout(samples: Float32Array): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

// The reader has exited or was killed, so the rest of the audio is not needed.
process.stdin.resume().on('end', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))

const [container, path, skip] = process.argv.slice(2) as [Container, string, string]
try {
  for await (const samples of decodeFile(container, path, Number(skip))) await writeToStdout(samples)
  process.stdout.end(() => process.exit(0))
} catch (error) {
  const reason = error instanceof Unreadable ? error.message : `its bytes are not ${container}`
  process.stderr.write(reason, () => process.exit(exitCodeOf(error)))
}

function exitCodeOf(error: unknown): number {
  if (error instanceof NeedsFfmpeg) return EXIT_NEEDS_FFMPEG
  return error instanceof Error && 'errno' in error ? EXIT_UNAVAILABLE : EXIT_UNREADABLE
}
