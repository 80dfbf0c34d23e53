import { parentPort, workerData } from 'node:worker_threads'

/** A thread that reads all packets of a file with the given copy of mediabunny, and reports when it is done. */
const { library, bytes } = workerData as { library: string; bytes: Uint8Array }
const { ADTS, BufferSource, EncodedPacketSink, Input, WEBM } = (await import(
  library
)) as typeof import('mediabunny')
parentPort?.postMessage('loaded')
using input = new Input({ formats: [WEBM, ADTS], source: new BufferSource(bytes) })
try {
  const track = await input.getPrimaryAudioTrack()
  if (track) for await (const _ of new EncodedPacketSink(track).packets());
} catch {
  // An unreadable file is an expected outcome here.
}
parentPort?.postMessage('read')
