import { DECODE_LIMITS } from '../../media/decode/limits.ts'
import { createModels } from '../models/models.ts'

/** The models of the embedded engine, in this process. A second thread costs a tenth more CPU time. */
export const setup = {
  models: createModels(1),
  ffmpeg: null,
  limits: DECODE_LIMITS,
  english: 'moonshine' as const,
  signal: new AbortController().signal,
  onStep: () => {},
}
