import { useSyncExternalStore } from 'react'

/** Whether the server responds. Streams and requests report what they see. */
let isLost = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  if (isLost === value) return
  isLost = value
  for (const listener of listeners) listener()
}

export const connectionLost = (): void => set(true)
export const connectionFound = (): void => set(false)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => isLost)
