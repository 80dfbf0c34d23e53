/** Sends requests to the service as one person, or as a participant without an account. */
export interface Api {
  url: string
  get<T = Fields>(path: string): Promise<T>
  post<T = Fields>(path: string, body?: object): Promise<T>
  send<T = Fields>(method: string, path: string, body?: Body, headers?: Record<string, string>): Promise<T>
}

type Body = object | Uint8Array | undefined

export interface Fields {
  id: string
  [name: string]: unknown
}

export function apiAt(url: string, credential: Record<string, string> = {}): Api {
  const send = async <T>(
    method: string,
    path: string,
    body?: Body,
    headers: Record<string, string> = {},
  ): Promise<T> => {
    const isRaw = body instanceof Uint8Array
    const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method,
      headers: {
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...credential,
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const location = response.headers.get('location')
    return (text === '' ? { location } : JSON.parse(text)) as T
  }
  return {
    url,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
  }
}

export interface Account {
  email: string
  password: string
}

export async function signIn(url: string, identityUrl: string, account: Account): Promise<Api> {
  const { access_token } = await apiAt(identityUrl).post<{ access_token: string }>('/auth/login', account)
  return apiAt(url, { authorization: `Bearer ${access_token}` })
}
