import { parentPort, workerData } from 'node:worker_threads'
import { copyAlike } from './copy-compatible.ts'
import { isOfDisk } from './read-source-file.ts'
import type { DemuxMessage, DemuxTask } from './run-demux-worker.ts'
import type { Piece } from './source-file.ts'

/** The thread of `demuxApart`. */
const { pieces, target, isPatient } = workerData as DemuxTask
const send = (message: DemuxMessage) => parentPort?.postMessage(message)

const BEAT_MS = 1_000
let told: Piece | null = null
let toldAt = 0

function tellWhere(piece: Piece): void {
  if (piece === told && performance.now() - toldAt < BEAT_MS) return
  told = piece
  toldAt = performance.now()
  send({ kind: 'reading', part: piece.parts[0] ?? 0 })
}

function leaveOut(error: unknown): void {
  if (isPatient && isOfDisk(error)) throw error
}

send(await copyAlike(pieces, target, { at: tellWhere, leaveOut }))
