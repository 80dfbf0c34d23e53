import { locateProgram } from '../platform/programs/bundle.ts'

await import(locateProgram(import.meta.dirname, 'run.ts'))
