import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { DemuxMessage, DemuxTask } from '../join/run-demux-worker.ts'

/** Stands in for the demuxer thread: loops at a file that begins with LOOP, waits without end at one that begins with WAIT. */
const { pieces } = workerData as DemuxTask
const send = (message: DemuxMessage) => parentPort?.postMessage(message)

for (const { parts, spans } of pieces) {
  send({ kind: 'reading', part: parts[0] ?? 0 })
  const word = readFileSync(spans[0]?.path ?? '').toString('latin1', 0, 4)
  while (word === 'LOOP');
  if (word === 'WAIT') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
send({
  kind: 'copied',
  container: 'webm',
  placed: pieces.map((piece) => ({ piece, startMs: 0, durationMs: 1 })),
})
