import { totalmem } from 'node:os'
import { isInstalled, WHISPER, type WhisperSize } from './weights.ts'

/** `auto`: the fast models; if the small one is installed and memory suffices, it transcribes finished recordings again. */
export type SpeechModel = 'auto' | WhisperSize

interface ModelSelection {
  size: WhisperSize
  /** The model for English. */
  english: 'moonshine' | 'whisper'
  /** Bytes to plan for each recording that is transcribed in parallel. */
  memory: number
  /** For the second pass over a finished recording, in any language; null: there is none. */
  second: { size: WhisperSize; memory: number } | null
}

const GIBIBYTE = 2 ** 30
const MEMORY: Readonly<Record<WhisperSize, number>> = { base: 1.5 * GIBIBYTE, small: 2 * GIBIBYTE }
/** With less, the small model would compete with the fast ones, the database and the service. */
const MIN_MEMORY_FOR_SECOND = 4 * GIBIBYTE

/** The memory of the machine, or the limit of the container. */
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
  if (model === 'small') return { size: 'small', english: 'whisper', memory: MEMORY.small, second: null }
  const hasSecond = model === 'auto' && isSmallInstalled && memory >= MIN_MEMORY_FOR_SECOND
  return {
    size: 'base',
    english: 'moonshine',
    memory: MEMORY.base,
    second: hasSecond ? { size: 'small', memory: MEMORY.small } : null,
  }
}
