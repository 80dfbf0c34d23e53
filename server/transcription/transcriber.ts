/** The port of the transcription engines. `@parley/speech` owns its types; the package itself is optional at run time. */
export type {
  Container,
  LiveChunk,
  Segment,
  TranscribeRequest,
  Transcriber,
  Transcription,
  Word,
} from '../../speech/types.ts'
