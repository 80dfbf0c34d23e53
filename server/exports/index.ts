/** Exports: a whole workspace as one zip. */
export { registerExports } from './routes.ts'
