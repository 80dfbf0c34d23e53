/** Lets the page open again without a network, so that audio that is still here can be sent. */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register('/p/service-worker.js', { scope: '/p/' })
    const { active } = await navigator.serviceWorker.ready
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    const files = [...new Set(loaded.filter((path) => path.startsWith('/p/assets/')))]
    active?.postMessage({ page: location.pathname, files })
  } catch {
    // Private modes refuse service workers; recording works without.
  }
}
