import { once } from 'node:events'
import type { Container } from '../containers/container.ts'
import { decodeFile } from './decode-file.ts'
import { endProcess } from './end-process.ts'

/**
 * The decoder process of one conversation. For each recording, stdin brings a line of JSON and the recording's bytes, and stdout gets
 * blocks of mono 32-bit floats at 16 kHz, each after its length in bytes, and a length of 0 at the end. It exits at the first failure.
 */
export interface KeptDecoderRequest {
  container: Container
  /** How many bytes follow. */
  bytes: number
  /** Whether they continue the file of the request before. */
  isContinued: boolean
  /** How many samples of the file to leave out. */
  skip: number
}

let received: Buffer[] = []
let file: Buffer = Buffer.alloc(0)

async function write(bytes: Uint8Array): Promise<void> {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  process.stdout.write(length)
  if (bytes.length > 0 && !process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

async function decode({ container, isContinued, skip }: KeptDecoderRequest, bytes: Buffer): Promise<void> {
  file = isContinued ? Buffer.concat([file, bytes]) : bytes
  for await (const samples of decodeFile(container, file, skip))
    if (samples.length > 0)
      await write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  await write(new Uint8Array())
}

/** The next request and its bytes, if all of them have arrived. */
function takeRequest(): [KeptDecoderRequest, Buffer] | null {
  const all = Buffer.concat(received)
  received = [all]
  const lineEnd = all.indexOf('\n')
  if (lineEnd < 0) return null
  const request = JSON.parse(all.toString('utf8', 0, lineEnd)) as KeptDecoderRequest
  const end = lineEnd + 1 + request.bytes
  if (all.length < end) return null
  received = [all.subarray(end)]
  return [request, all.subarray(lineEnd + 1, end)]
}

process.stdout.on('error', endProcess)
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  received.push(chunk)
  for (let next = takeRequest(); next !== null; next = takeRequest()) await decode(...next)
}
endProcess()
