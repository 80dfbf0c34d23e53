import { locateProgram } from '../platform/bundle.ts'

await import(locateProgram(import.meta.dirname, 'run.ts'))
