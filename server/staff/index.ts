export { registerStaff } from './routes.ts'
