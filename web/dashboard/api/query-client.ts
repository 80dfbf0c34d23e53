import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { expireSession } from '../session/expired.ts'
import { ApiProblem, Unreachable } from './problem.ts'

const MAX_RETRIES = 3

/** Only what can succeed later is asked for again. */
const isTemporary = (error: Error): boolean =>
  error instanceof Unreachable || (error instanceof ApiProblem && error.status === 503)

function watchSession(error: Error): void {
  if (error instanceof ApiProblem && error.status === 401) expireSession()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watchSession }),
  mutationCache: new MutationCache({ onError: watchSession }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => isTemporary(error) && failures < MAX_RETRIES,
    },
  },
})
