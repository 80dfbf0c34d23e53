import { once } from 'node:events'
import type { Container } from '../containers/container.ts'
import { decodeFile } from './decode-file.ts'
import { NeedsFfmpeg, Unreadable } from './read-track.ts'
import { NEEDS_FFMPEG, UNAVAILABLE, UNREADABLE } from './result-codes.ts'

/**
 * The decoder process: `decoder-main.ts <container> <file> <skip>` writes mono 32-bit floats at 16 kHz to stdout, without the first
 * `skip` samples. Node's permission model lets it read only its own code and the file.
 */
async function writeToStdout(samples: Float32Array): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

/** Node's own exit can wait forever for a thread of V8 (nodejs/node#64274), so the result goes to stderr and a signal ends the process. */
function end(code: number, reason = ''): void {
  process.stderr.write(`\nresult ${code} ${reason}`, () => process.kill(process.pid, 'SIGKILL'))
}

// The reader has exited or was killed, so the rest of the audio is not needed.
process.stdin.resume().on('end', () => end(0))
process.stdout.on('error', () => end(0))

const [container, path, skip] = process.argv.slice(2) as [Container, string, string]
try {
  for await (const samples of decodeFile(container, path, Number(skip))) await writeToStdout(samples)
  process.stdout.end(() => end(0))
} catch (error) {
  end(codeOf(error), error instanceof Unreadable ? error.message : `its bytes are not ${container}`)
}

function codeOf(error: unknown): number {
  if (error instanceof NeedsFfmpeg) return NEEDS_FFMPEG
  return error instanceof Error && 'errno' in error ? UNAVAILABLE : UNREADABLE
}
