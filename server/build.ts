import { buildBundle } from '../platform/programs/build-bundle.ts'

await buildBundle(import.meta.dirname, {
  programs: ['start/run.ts', 'start/run-helper.ts'],
  external: ['@fastify/static', '@fastify/swagger', '@fastify/swagger-ui', 'fontkit', 'pdfkit', 'pino'],
})
