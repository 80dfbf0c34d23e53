import type { FastifyInstance, RouteOptions } from 'fastify'
import { Problem } from './problems.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Returns 405 with `Allow` where a path exists with other methods. Collects the routes that are registered after this call;
 * the returned function must be called after the last one.
 */
export function rememberMethods(
  app: FastifyInstance,
): (guard: (url: string) => RouteOptions['onRequest']) => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    known.set(url, methods)
  })
  return (guard) => {
    for (const [url, methods] of new Map(known)) {
      const missing = METHODS.filter((method) => !methods.has(method))
      if (missing.length === 0 || methods.has('OPTIONS')) continue
      const allow = [...methods].join(', ')
      const onRequest = [guard(url) ?? []].flat()
      const refuse = async () => {
        throw new Problem('method_not_allowed', { headers: { allow } })
      }
      app.route({
        method: missing,
        url,
        config: { access: { kind: 'public' } },
        schema: { hide: true },
        onRequest: [...onRequest, refuse],
        handler: refuse,
      })
    }
  }
}
