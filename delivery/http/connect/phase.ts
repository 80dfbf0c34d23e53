import type { EgressError } from '../types.ts'
import { codeOf, EgressFailure } from './failure.ts'

/** Runs one phase of connecting with a timeout. If it fails or times out, the error has the phase's name. */
export async function phase<T>(
  name: EgressError,
  limitMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const fail = (detail: string) => {
    controller.abort()
    reject(new EgressFailure(name, detail))
  }
  const onAbort = () => fail('aborted')
  const timer = setTimeout(fail, limitMs, 'limit')
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([failed, run(controller.signal)])
  } catch (error) {
    throw error instanceof EgressFailure ? error : new EgressFailure(name, codeOf(error))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
