import { once } from 'node:events'
import type { Container } from '../containers/container.ts'
import { decodeFile } from './decode-file.ts'
import { endProcess } from './end-process.ts'
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

/** A process that a signal ends has no exit code, so stderr gets the result. */
function endWith(code: number, reason = ''): void {
  process.stderr.write(`\nresult ${code} ${reason}`, endProcess)
}

// The reader has exited or was killed, so the rest of the audio is not needed.
process.stdin.resume().on('end', endProcess)
process.stdout.on('error', endProcess)

const [container, path, skip] = process.argv.slice(2) as [Container, string, string]
try {
  for await (const samples of decodeFile(container, path, Number(skip))) await writeToStdout(samples)
  process.stdout.end(() => endWith(0))
} catch (error) {
  endWith(codeOf(error), error instanceof Unreadable ? error.message : `its bytes are not ${container}`)
}

function codeOf(error: unknown): number {
  if (error instanceof NeedsFfmpeg) return NEEDS_FFMPEG
  return error instanceof Error && 'errno' in error ? UNAVAILABLE : UNREADABLE
}
