import type { TranscriptionFailureCode } from './types.ts'

/** The reason why a transcription failed. */
export class SpeechFailure extends Error {
  readonly code: TranscriptionFailureCode

  constructor(code: TranscriptionFailureCode, message: string) {
    super(message)
    this.name = 'SpeechFailure'
    this.code = code
  }
}
