/** Recent activity in the workspaces of a user, and problems that need attention. */
export { registerActivity } from './routes.ts'
