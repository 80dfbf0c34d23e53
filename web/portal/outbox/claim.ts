/**
 * Marks a recording as open in this tab, until the tab is closed. Resolves with false if another tab has it. A browser that cannot
 * tell is taken to have one tab.
 */
export function claimRecording(recordingId: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    void navigator.locks
      .request(`parley-recording-${recordingId}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null)
        // Held while the page lives.
        return lock === null ? undefined : new Promise<never>(() => {})
      })
      .catch(() => resolve(true))
  })
}
