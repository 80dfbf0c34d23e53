import './problems.ts'

export { registerStaff } from './routes.ts'
export { hideStaffPaths, isStaffPath } from './staff-paths.ts'
