export interface HttpResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
  headers: Headers
  /** Set-Cookie by name: the value, and the attributes as they were sent. */
  cookies: Map<string, { value: string; attributes: string }>
}

export interface CallOptions {
  body?: unknown
  /** Sent unchanged instead of a JSON body. */
  rawBody?: string
  bearer?: string
  cookies?: Record<string, string>
  headers?: Record<string, string>
}

/** Sends one HTTP request. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<HttpResponse> {
  const { body, rawBody, bearer, cookies, headers } = options
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(cookies
        ? {
            cookie: Object.entries(cookies)
              .map((pair) => pair.join('='))
              .join('; '),
          }
        : {}),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: jsonOr(text),
    headers: response.headers,
    cookies: cookiesOf(response.headers),
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function cookiesOf(headers: Headers): HttpResponse['cookies'] {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      return [name, { value, attributes: attributes.join('; ') }] as const
    }),
  )
}

export const codeOf = ({ body, status }: HttpResponse): string =>
  body?.errors?.[0]?.extensions?.code ?? `no code, ${status}`
