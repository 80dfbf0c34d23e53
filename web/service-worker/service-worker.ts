/**
 * Opens the page again without a network, so that audio which is still on the phone can be sent. The network always comes first:
 * a saved page is shown only if the server does not respond.
 */
declare const self: ServiceWorkerGlobalScope

const CACHE = 'parley-recording-page'
/** After a crash the browser can take minutes to open the cache. */
const CACHE_TIMEOUT_MS = 1_000
/** With a saved page, a network that does not respond is given up after this time. */
const NETWORK_TIMEOUT_MS = 6_000
/** A module is requested with an Origin, which `Vary` names, and saved without one. The content is the same. */
const ANY = { ignoreVary: true }

/** Not in every browser, and not known to TypeScript. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(routes: { condition: object; source: string }[]): Promise<void>
}

self.addEventListener('install', (event: RoutingInstallEvent) => {
  void self.skipWaiting()
  void event.addRoutes?.([
    // Requests of the recording pass by this worker. Otherwise Chromium wakes it for each, and keeps the audio of all of them until it
    // collects the garbage of the worker: measured, an hour keeps 21 MB.
    { condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' },
    // A worker that does not start after a crash, or that ends with the page that has started it, does not keep the page from opening.
    { condition: { requestMode: 'navigate' }, source: 'race-network-and-fetch-handler' },
    { condition: { urlPattern: { pathname: '/p/assets/*' } }, source: 'race-network-and-fetch-handler' },
  ])
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
  if (request.mode === 'navigate') event.respondWith(openPage(event, url.pathname))
  else if (url.pathname.startsWith('/p/assets/')) event.respondWith(openFile(event))
})

/** Files of older versions are removed. */
async function keep(page: string, files: string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const wanted = new Set([page, ...files].map((path) => new URL(path, self.location.origin).href))
  for (const known of await cache.keys())
    if (known.url.includes('/p/assets/') && !wanted.has(known.url)) await cache.delete(known, ANY)
  for (const url of wanted) if (!(await cache.match(url, ANY))) await cache.add(url)
}

/** Without a look at the cache, if the network responds. */
async function openPage(event: FetchEvent, path: string): Promise<Response> {
  const pending = fetch(event.request)
  const copy = pending.then((response) => response.clone())
  event.waitUntil(copy.then((response) => savePage(path, response)).catch(() => {}))
  try {
    const response = await within(NETWORK_TIMEOUT_MS, pending)
    return response.status >= 500 ? ((await savedPage(path)) ?? response) : response
  } catch {
    return (await savedPage(path)) ?? pending
  }
}

const savedPage = (path: string): Promise<Response | undefined> => caches.match(path, ANY)

async function savePage(path: string, response: Response): Promise<void> {
  const cache = await caches.open(CACHE)
  if (response.ok) await cache.put(path, response)
  // The project is gone.
  else if (response.status === 404) await cache.delete(path, ANY)
}

const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => void setTimeout(() => reject(new Error('timeout')), ms)),
  ])

/** The name of a file changes with its content, so a saved one is never old. Another language is saved when it is chosen. */
async function openFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const saved = await within(CACHE_TIMEOUT_MS, caches.match(request, ANY)).catch(() => undefined)
  if (saved) return saved
  const response = await fetch(request)
  const copy = response.clone()
  if (response.ok) event.waitUntil(caches.open(CACHE).then((cache) => cache.put(request, copy)))
  return response
}

export {}
