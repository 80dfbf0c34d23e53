/** Turns recordings into text: the job for each chunk, and the engines that transcribe. */
export type { PassOutcome } from './second-pass/end-pass.ts'
export { recoverStalledPasses } from './second-pass/recover-stalled.ts'
export { runSecondPass } from './second-pass/run-second-pass.ts'
export { transcribeChunk } from './transcribe-chunk.ts'
export type { Transcriber } from './transcriber.ts'
