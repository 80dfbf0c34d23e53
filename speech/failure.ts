import type { EngineFailureCode } from '../server/engines/engine-failure.ts'

/**
 * Why there is no transcript, inside this package. The backend's adapter makes its own `EngineFailure` of it: nothing is
 * imported from the backend but types, so that this package can be left out, or stand alone.
 */
export class SpeechFailure extends Error {
  readonly code: EngineFailureCode

  constructor(code: EngineFailureCode, message: string) {
    super(message)
    this.name = 'SpeechFailure'
    this.code = code
  }
}
