/** The port of the transcription engines. `@parley/speech` owns its types; the package itself is optional at run time. */
export type {
  Container,
  PreRollFile,
  Segment,
  TranscribeRequest,
  Transcriber,
  Transcription,
} from '../../speech/types.ts'
