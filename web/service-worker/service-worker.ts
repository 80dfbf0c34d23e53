/**
 * Opens the page again without a network, so that audio which is still on the phone can be sent. The network always comes first:
 * a saved page is shown only if the server does not respond.
 */
declare const self: ServiceWorkerGlobalScope

const CACHE = 'parley-recording-page'
/** With a saved page, a network that does not respond is given up after this time. */
const NETWORK_TIMEOUT_MS = 6_000
/** A module is requested with an Origin, which `Vary` names, and saved without one. The content is the same. */
const ANY = { ignoreVary: true }

/** Not in every browser, and not known to TypeScript. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(route: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>
}

self.addEventListener('install', (event: RoutingInstallEvent) => {
  void self.skipWaiting()
  // Requests of the recording pass by this worker. Otherwise Chromium wakes it for each, and keeps the audio of all of them until it
  // collects the garbage of the worker: measured, an hour keeps 21 MB.
  void event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' })
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** The page sends the list of its files, because it was loaded before this worker ran. */
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const { page, files } = event.data as { page: string; files: string[] }
  event.waitUntil(keep(page, files))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(openPage(request, url.pathname))
  else if (url.pathname.startsWith('/p/assets/')) event.respondWith(openFile(request))
})

/** Files of older versions are removed. */
async function keep(page: string, files: string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const wanted = new Set([page, ...files].map((path) => new URL(path, self.location.origin).href))
  for (const known of await cache.keys())
    if (known.url.includes('/p/assets/') && !wanted.has(known.url)) await cache.delete(known, ANY)
  for (const url of wanted) if (!(await cache.match(url, ANY))) await cache.add(url)
}

async function openPage(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(CACHE)
  const saved = await cache.match(path, ANY)
  const pending = fetch(request).then(async (response) => {
    if (response.ok) await cache.put(path, response.clone())
    // The project is gone.
    else if (response.status === 404) await cache.delete(path, ANY)
    return response
  })
  if (!saved) return pending
  try {
    const response = await withinTimeout(pending)
    return response.status >= 500 ? saved : response
  } catch {
    return saved
  }
}

const withinTimeout = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>(
      (_resolve, reject) => void setTimeout(() => reject(new Error('timeout')), NETWORK_TIMEOUT_MS),
    ),
  ])

/** The name of a file changes with its content, so a saved one is never old. Another language is saved when it is chosen. */
async function openFile(request: Request): Promise<Response> {
  const saved = await caches.match(request, ANY)
  if (saved) return saved
  const response = await fetch(request)
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone())
  return response
}

export {}
