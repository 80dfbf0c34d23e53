/** Turns recordings into text: the job for each chunk, and the engines that transcribe. */
export { transcribeChunk } from './transcribe-chunk.ts'
export type { Transcriber } from './transcriber.ts'
