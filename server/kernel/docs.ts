import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { PROBLEMS } from './problems.ts'

export interface DocsOptions {
  version: string
  publicUrl: string
  cookieName: string
  /** What receivers of our webhooks get, by event. */
  webhooks: Record<string, unknown>
}

/** The page's own files and nothing from elsewhere; Swagger UI writes styles into its elements. */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"

const PUBLIC = { access: { kind: 'public' as const } }

/** The OpenAPI document, made from the schemas of the routes that follow, and a page that shows it to a person. */
export async function registerDocs(
  app: FastifyInstance,
  { version, publicUrl, cookieName, webhooks }: DocsOptions,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version,
        description:
          'Collects spoken conversations, transcribes and summarises them, makes reports, and tells other systems.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: cookieName,
            description: 'Set by the identity store at login',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token or a static token of the identity store',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => ({
      ...withoutUnused(jsonSchemaTransformObject(document) as OpenAPIV3_1.Document),
      webhooks: webhooks as NonNullable<OpenAPIV3_1.Document['webhooks']>,
    }),
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: PAGE_POLICY,
    // The badge would send the document's address to somebody else's server.
    uiConfig: { docExpansion: 'list', deepLinking: true, validatorUrl: null },
    theme: {
      title: 'Parley API',
      css: [{ filename: 'parley.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
}

/** Each schema comes as input and as output; most are used as one of them, and the other would only confuse. */
function withoutUnused(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const schemas = document.components?.schemas ?? {}
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name] ?? {})
    }
  }
  follow(document.paths ?? {})
  const kept = Object.entries(schemas).filter(([name]) => used.has(name))
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } }
}

export function registerReference(app: FastifyInstance): void {
  app.get('/api/openapi.json', { config: PUBLIC, schema: { hide: true }, handler: async () => app.swagger() })
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

/** Where the `type` of every problem leads. */
function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title, meaning }]) =>
      `<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td><b>${title}.</b> ${meaning}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2430}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.5rem;border-top:1px solid #d8dee6}
tr:target{background:#fff6d6}code{background:#eef1f5;padding:.1rem .3rem;border-radius:.2rem}</style>
<h1>Problems</h1><p>Every refusal is <code>application/problem+json</code>; <code>code</code> is stable.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></html>`
}
