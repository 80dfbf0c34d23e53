import type { TranscriptionFailureCode } from './types.ts'

/** Why there is no transcription. */
export class SpeechFailure extends Error {
  readonly code: TranscriptionFailureCode

  constructor(code: TranscriptionFailureCode, message: string) {
    super(message)
    this.name = 'SpeechFailure'
    this.code = code
  }
}
