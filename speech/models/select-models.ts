import { totalmem } from 'node:os'
import { isInstalled, WHISPER, type WhisperSize } from './weights.ts'

/** `auto`: the small model if it is installed and memory suffices, except for English, which the fast model transcribes. */
export type SpeechModel = 'auto' | WhisperSize

interface ModelSelection {
  size: WhisperSize
  /** The model for English. */
  english: 'moonshine' | 'whisper'
  /** Bytes to plan for each recording that is transcribed in parallel. */
  memory: number
}

const GIBIBYTE = 2 ** 30
const MEMORY: Readonly<Record<WhisperSize, number>> = { base: 1.5 * GIBIBYTE, small: 2 * GIBIBYTE }
/** With less, the small model would compete with the database and the service. */
const MIN_MEMORY_FOR_SMALL = 4 * GIBIBYTE

/** What the machine has, or the container is allowed to use. */
export const memoryOfMachine = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem()
}

export const isModelInstalled = (model: SpeechModel): boolean =>
  model !== 'small' || isInstalled(WHISPER.small.package)

export function selectModels(
  model: SpeechModel,
  memory = memoryOfMachine(),
  isSmallInstalled = isInstalled(WHISPER.small.package),
): ModelSelection {
  if (model === 'small') return { size: 'small', english: 'whisper', memory: MEMORY.small }
  const size = model === 'auto' && isSmallInstalled && memory >= MIN_MEMORY_FOR_SMALL ? 'small' : 'base'
  return { size, english: 'moonshine', memory: MEMORY[size] }
}
