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
    // By default, requests wait silently while the browser is offline; they should fail, and say so.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      retry: (failures, error) => isTemporary(error) && failures < MAX_RETRIES,
    },
  },
})
