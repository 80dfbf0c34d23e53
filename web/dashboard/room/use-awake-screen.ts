import { useEffect } from 'react'

/** A laptop at a projector must not switch its screen off during a session. Browsers forget the wish when the page is hidden. */
export function useAwakeScreen(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    const request = async (): Promise<void> => {
      // Refused with a low battery, and unknown to old browsers: then the screen follows the settings of the system.
      if (document.visibilityState === 'visible')
        lock = (await navigator.wakeLock?.request().catch(() => null)) ?? null
    }
    const onVisible = () => void request()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release()
    }
  }, [])
}
