import { useSyncExternalStore } from 'react'

let isExpired = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  isExpired = value
  for (const listener of listeners) listener()
}

/** The API no longer accepts the session. The page stays as it is, with what was typed, and asks to sign in again. */
export const expireSession = (): void => set(true)
export const renewSession = (): void => set(false)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSessionExpired = (): boolean => useSyncExternalStore(subscribe, () => isExpired)
