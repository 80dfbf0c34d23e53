import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf } from '../api/client.ts'
import { CreateByName } from '../ui/create-by-name.tsx'
import { useWords } from '../words/words.tsx'
import { projectsQuery } from './queries.ts'

export function NewProject({ workspaceId }: { workspaceId: string }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (name: string) =>
      dataOf(
        api.POST('/api/v2/workspaces/{wid}/projects', {
          params: { path: { wid: workspaceId } },
          body: { name },
        }),
      ),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: projectsQuery(workspaceId).queryKey })
      await navigate({ to: '/projects/$pid', params: { pid: id } })
    },
  })
  return <CreateByName label={w.home.projectName} isPending={isPending} error={error} onCreate={mutate} />
}
