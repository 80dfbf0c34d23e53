/** Keeps the screen on while recording; phones stop pages whose screen is off. Browsers end the lock when the page is hidden. */
export function keepScreenOn(): () => void {
  const over = new AbortController()
  let lock: WakeLockSentinel | null = null
  const request = async () => {
    if (document.hidden || !('wakeLock' in navigator)) return
    // Refused at low battery: recording continues, with a screen that can turn off.
    lock = await navigator.wakeLock.request('screen').catch(() => null)
    if (over.signal.aborted) void lock?.release()
  }
  document.addEventListener('visibilitychange', () => void request(), { signal: over.signal })
  void request()
  return () => {
    over.abort()
    void lock?.release()
  }
}
