export { cancelReplay } from './cancel-replay.ts'
export { createReplay } from './create-replay.ts'
