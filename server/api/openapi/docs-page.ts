import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { allProblems } from '../problems.ts'
import { buildDocument, type DocumentOptions, type Operation } from './index.ts'

/** The page's own files and nothing from elsewhere; Swagger UI writes styles into its elements. */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"

const PUBLIC = { access: { kind: 'public' as const } }

/** The OpenAPI document, made from the operations of the routes that follow, and a page that shows it. */
export async function registerDocs(app: FastifyInstance, options: DocumentOptions): Promise<void> {
  const operations: Operation[] = []
  app.addHook('onRoute', ({ method, config }) => {
    // Fastify adds HEAD to every GET; only a HEAD that was described is shown.
    if (config?.operation && config.operation.method === method) operations.push(config.operation)
  })
  // The page gets the document from this plugin. Its own description of routes has no response headers and no bodies that are
  // not JSON, and marks every body as required.
  await app.register(swagger, {
    openapi: { openapi: '3.1.0' },
    transform: ({ url }) => ({ schema: { hide: true }, url }),
    transformObject: () => buildDocument(operations, options),
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: PAGE_POLICY,
    // The badge would send the URL of the document to a third party.
    uiConfig: { docExpansion: 'list', deepLinking: true, validatorUrl: null },
    theme: {
      title: 'Parley API',
      css: [{ filename: 'parley.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
}

export function registerReference(app: FastifyInstance): void {
  app.get('/api/openapi.json', {
    config: { ...PUBLIC, conditional: true },
    schema: { hide: true },
    handler: async () => app.swagger(),
  })
  app.get('/api/problems', {
    config: PUBLIC,
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        )
        .type('text/html; charset=utf-8')
        .send(problemsPage()),
  })
}

/** The page that the `type` of every problem links to. */
function problemsPage(): string {
  const rows = allProblems().map(
    ([code, { status, title, meaning }]) =>
      `<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td><b>${title}.</b> ${meaning}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2430}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.5rem;border-top:1px solid #d8dee6}
tr:target{background:#fff6d6}code{background:#eef1f5;padding:.1rem .3rem;border-radius:.2rem}</style>
<h1>Problems</h1><p>Every error is <code>application/problem+json</code>; <code>code</code> is stable.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></html>`
}
