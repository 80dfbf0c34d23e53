import type { EgressError } from '../types.ts'
import { codeOf, EgressFailure } from './failure.ts'

/** Runs one phase with a timeout. The phase's name is the error when it fails or times out. */
export async function phase<T>(
  name: EgressError,
  limitMs: number,
  signal: AbortSignal,
  run: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const limit = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const cut = (detail: string) => {
    limit.abort()
    reject(new EgressFailure(name, detail))
  }
  const cutOff = () => cut('aborted')
  const timer = setTimeout(cut, limitMs, 'limit')
  signal.addEventListener('abort', cutOff, { once: true })
  try {
    return await Promise.race([over, run(limit.signal)])
  } catch (error) {
    throw error instanceof EgressFailure ? error : new EgressFailure(name, codeOf(error))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cutOff)
  }
}
