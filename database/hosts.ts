export interface Host {
  /** A name or an address, without brackets. */
  name: string
  port: number
}

export interface HostList {
  hosts: Host[]
  /** The URL with this host alone, for node-postgres, which knows only one. */
  urlOf(host: Host): string
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(\/[^?]*)?(\?.*)?$/
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i
const DEFAULT_PORT = 5432
/** Both are words of libpq. Parley writes, so it cannot use a standby. */
const WRITABLE = ['read-write', 'primary']

/**
 * Reads a URL that lists several hosts, as libpq does: `postgres://user@a:5432,b:5432/parley?target_session_attrs=read-write`.
 * Null for a URL with one host.
 */
export function parseHosts(url: string): HostList | null {
  const [, start = '', list = '', path = '', query = ''] = URL_PARTS.exec(url) ?? []
  if (!list.includes(',')) return null
  const hosts = list.split(',').map(parseHost)
  const parameters = new URLSearchParams(query)
  parameters.delete('target_session_attrs')
  const rest = `${path}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`
  return {
    hosts,
    urlOf: ({ name, port }) => `${start}${name.includes(':') ? `[${name}]` : name}:${port}${rest}`,
  }
}

function parseHost(text: string): Host {
  const [, address, name, port = String(DEFAULT_PORT)] = HOST.exec(text) ?? []
  const host = { name: address ?? name ?? '', port: Number(port) }
  if (!host.name || host.port < 1 || host.port > 65_535)
    throw new Error('must list hosts as host:port, separated by commas')
  return host
}

/** Throws an error that says what is wrong with the value of a setting. */
export function checkDatabaseUrl(url: string): void {
  const list = parseHosts(url)
  const single = list ? list.urlOf(list.hosts[0] as Host) : url
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(single)) throw new Error('must be a postgres:// URL')
  const wanted = new URLSearchParams(URL_PARTS.exec(url)?.[4]).get('target_session_attrs')
  if (wanted !== null && !WRITABLE.includes(wanted))
    throw new Error('must use target_session_attrs=read-write, because Parley needs a writable server')
}
