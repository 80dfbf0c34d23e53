import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { DeleteByName } from '../../ui/delete-by-name.tsx'
import { duration } from '../../usage/format.ts'
import { useWords } from '../../words/words.tsx'
import { statisticsQuery } from '../queries.ts'
import type { Project } from './draft.ts'

export function Removal({ project: { id, name } }: { project: Project }): ReactNode {
  const { projectSettings: words } = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: statistics } = useQuery(statisticsQuery(id))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/v2/projects/{pid}', { params: { path: { pid: id } } })),
    onSuccess: async () => {
      await navigate({ to: '/', ignoreBlocker: true })
      client.removeQueries({ queryKey: ['projects', id] })
      await client.invalidateQueries()
    },
  })
  const erased = statistics && words.erased({ ...statistics, hours: duration(statistics.audio_seconds) })
  return (
    <DeleteByName
      name={name}
      title={words.remove}
      help={words.removeHelp}
      erased={erased ?? null}
      kept={words.kept}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
