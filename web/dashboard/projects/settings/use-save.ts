import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Versioned } from '../../api/client.ts'
import { projectQuery, retentionQuery } from '../queries.ts'
import type { Changes, Project } from './draft.ts'
import { Conflict, type Saved, saveSettings } from './save-settings.ts'
import type { Draft } from './use-draft.ts'

export interface Save {
  base: Versioned<Project>
  changes: Changes
  /** The number of conversations that the user has agreed to erase. */
  agreed: number
}

/** A shorter retention erases conversations: the user is asked first. */
export class NeedsAgreement extends Error {
  readonly expired: number
  readonly days: number

  constructor(expired: number, days: number) {
    super('Conversations would be erased.')
    this.expired = expired
    this.days = days
  }
}

export function useSave(draft: Draft): UseMutationResult<Saved, Error, Save> {
  const client = useQueryClient()
  const { id, workspace_id } = draft.base.record
  return useMutation({
    mutationFn: async ({ base, changes, agreed }: Save) => {
      const { retention_days: days } = changes
      if (typeof days === 'number') {
        const { expired } = await client.fetchQuery({ ...retentionQuery(id, days), staleTime: 0 })
        if (expired > agreed) throw new NeedsAgreement(expired, days)
      }
      return saveSettings(base, changes)
    },
    onSuccess: async ({ project }, { changes }) => {
      client.setQueryData(projectQuery(id).queryKey, project)
      draft.acceptSaved(project, changes)
      await Promise.all([
        client.invalidateQueries({ queryKey: ['projects', id] }),
        client.invalidateQueries({ queryKey: ['workspaces', workspace_id, 'projects'] }),
      ])
    },
    onError: async (error) => {
      if (!(error instanceof Conflict)) return
      // A user who discards their changes sees the current version.
      client.setQueryData(projectQuery(id).queryKey, error.current)
      await client.invalidateQueries({ queryKey: ['projects', id, 'changes'] })
    },
  })
}
