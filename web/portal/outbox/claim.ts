/** A page that is reloaded or was killed gives its recordings back within this time. */
const RELEASE_MS = 700

/**
 * Marks a recording as open in this tab, until the tab is closed. Resolves with false if another tab has it. A browser that cannot
 * tell is taken to have one tab. A new recording is claimed without a limit, since a slow phone can need longer than this.
 */
export function claimRecording(recordingId: string, limitMs: number | null = RELEASE_MS): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true)
  const waiting = new AbortController()
  const timer = limitMs === null ? undefined : setTimeout(() => waiting.abort(), limitMs)
  return new Promise((resolve) => {
    navigator.locks
      .request(`parley-recording-${recordingId}`, { signal: waiting.signal }, () => {
        clearTimeout(timer)
        resolve(true)
        // Held while the page lives.
        return new Promise<never>(() => {})
      })
      .catch((error: DOMException) => resolve(error.name !== 'AbortError'))
  })
}
