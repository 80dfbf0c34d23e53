import { buildBundle } from '../platform/programs/build-bundle.ts'

await buildBundle(import.meta.dirname, { programs: ['run.ts'], external: ['@node-rs/argon2', 'pino'] })
