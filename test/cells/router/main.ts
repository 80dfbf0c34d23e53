import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CellAddress } from '../mover/session.ts'
import { openDirectory } from './directory.ts'
import { createOwners } from './organisation-of.ts'
import { forward } from './proxy.ts'
import { createTraffic } from './traffic.ts'

/** Given in the environment variable ROUTER, as JSON. */
export interface RouterOptions {
  cells: CellAddress[]
  /** The file of the directory. */
  directory: string
}

/** Requests in flight at the beginning of a move get this time. Clients retry those that are cut off. */
const DRAIN_LIMIT_MS = 5_000
const RETRY_AFTER_SECONDS = '1'

const options = JSON.parse(process.env['ROUTER'] ?? '') as RouterOptions
const directory = openDirectory(options.directory)
const owners = createOwners(options.cells)
const traffic = createTraffic()

async function route(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { url = '/', method } = incoming
  const owner = await owners.find(url)
  if (owner === null) {
    const isNew = method === 'POST' && url === '/api/v2/organisations'
    const cell = isNew ? emptiestCell() : (options.cells[0] as CellAddress)
    const onBody = (status: number, body: Buffer) => {
      if (status === 201) directory.set(JSON.parse(body.toString()).id, { cell: cell.name, isHeld: false })
    }
    return forward(incoming, outgoing, {
      baseUrl: cell.url,
      organisation: null,
      traffic,
      ...(isNew ? { onBody } : {}),
    })
  }
  const { organisation, cell } = owner
  // The organisation exists, but the router stopped before it could note its cell.
  if (!directory.find(organisation) && cell) directory.set(organisation, { cell, isHeld: false })
  const place = directory.find(organisation)
  if (!place || place.isHeld) return refuse(organisation, outgoing)
  forward(incoming, outgoing, { baseUrl: cellNamed(place.cell).url, organisation, traffic })
}

function refuse(organisation: string, outgoing: ServerResponse): void {
  traffic.countHeld(organisation)
  const problem = { type: 'about:blank', title: 'Not ready', status: 503, code: 'not_ready' }
  const headers = { 'content-type': 'application/problem+json', 'retry-after': RETRY_AFTER_SECONDS }
  outgoing.writeHead(503, headers).end(JSON.stringify(problem))
}

const emptiestCell = (): CellAddress =>
  options.cells.toSorted((a, b) => directory.countIn(a.name) - directory.countIn(b.name))[0] as CellAddress

function cellNamed(name: string): CellAddress {
  const cell = options.cells.find((one) => one.name === name)
  if (!cell) throw new Error(`unknown cell ${name}`)
  return cell
}

/** For movers, on a separate port. */
async function control({ url = '' }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [, action, organisation = '', cell = ''] = url.split('/')
  if (action === 'hold') {
    const place = directory.find(organisation)
    if (place) directory.set(organisation, { ...place, isHeld: true })
    await traffic.drain(organisation, DRAIN_LIMIT_MS)
  } else if (action === 'place') {
    directory.set(organisation, { cell: cellNamed(cell).name, isHeld: false })
    traffic.release(organisation)
  }
  outgoing.writeHead(200).end(JSON.stringify(action === 'report' ? traffic.report() : {}))
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

function listen(handler: Handler): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    handler(incoming, outgoing).catch((error: unknown) => {
      console.error(error)
      if (!outgoing.headersSent) outgoing.writeHead(500).end()
    })
  })
  server.requestTimeout = 0
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )
}

process.on('SIGTERM', () => process.exit(0))
console.log(`  Router    ${await listen(route)}`)
console.log(`  Control   ${await listen(control)}`)
console.log('routing')
