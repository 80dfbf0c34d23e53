import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'

/** A change of a report; what is on the page is read again. */
export function useReportChange<Input>(
  { id, project_id }: Pick<Schemas['Report'], 'id' | 'project_id'>,
  mutationFn: (input: Input) => Promise<Schemas['Report']>,
): UseMutationResult<Schemas['Report'], Error, Input> {
  const client = useQueryClient()
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['reports', id] }),
      client.invalidateQueries({ queryKey: ['projects', project_id, 'reports'] }),
    ])
  return useMutation({
    mutationFn,
    onSuccess: refresh,
    // Not awaited: the error is shown immediately, also while the server does not respond.
    onError: () => void refresh(),
  })
}
