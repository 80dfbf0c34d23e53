import { readFileSync } from 'node:fs'
import type { Copied } from '../join/copy-packets.ts'
import type { DemuxTask } from '../join/run-demux-worker.ts'
import { runTasks } from '../run-tasks.ts'

/** Replaces the demuxer thread: loops at a file that begins with LOOP, and hangs at one that begins with WAIT. */
runTasks<DemuxTask, number, Copied>(({ files }, report) => {
  for (const { parts, spans } of files) {
    report(parts[0] ?? 0)
    const [first] = spans
    const word = first && 'path' in first ? readFileSync(first.path).toString('latin1', 0, 4) : ''
    while (word === 'LOOP');
    if (word === 'WAIT') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  return {
    kind: 'copied',
    container: 'webm',
    placed: files.map((file) => ({ file, startMs: 0, durationMs: 1 })),
  }
})
