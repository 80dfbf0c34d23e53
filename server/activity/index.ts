/** What happened recently in the workspaces of a user, and what needs attention. */
export { registerActivity } from './routes.ts'
