import { Button, Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import type { AuditFilters } from './filters.ts'

interface Choice {
  value: string
  label: string
}

interface Props {
  filters: AuditFilters
  onChange: (changed: Record<string, unknown>) => void
  actors: Choice[]
  workspaces: Choice[]
}

export function AuditFilterBar({ filters, onChange, actors, workspaces }: Props): ReactNode {
  const w = useWords()
  const actions = Object.entries(w.audit.actions).map(([value, label]) => ({ value, label }))
  const known = (choices: Choice[], value: string | undefined): Choice[] =>
    value === undefined || choices.some((one) => one.value === value)
      ? choices
      : [...choices, { value, label: value }]
  return (
    <Group gap="xs" align="end">
      <Select
        aria-label={w.audit.action}
        placeholder={w.audit.anyAction}
        searchable
        clearable
        value={filters.action ?? null}
        onChange={(action) => onChange({ action })}
        data={known(actions, filters.action)}
        flex="1 1 14rem"
      />
      {actors.length > 0 && (
        <Select
          aria-label={w.audit.actor}
          placeholder={w.audit.anyActor}
          searchable
          clearable
          value={filters.actor_id ?? null}
          onChange={(actor_id) => onChange({ actor_id })}
          data={known(actors, filters.actor_id)}
          w={170}
        />
      )}
      {workspaces.length > 0 && (
        <Select
          aria-label={w.audit.workspace}
          placeholder={w.audit.anyWorkspace}
          searchable
          clearable
          value={filters.workspace_id ?? null}
          onChange={(workspace_id) => onChange({ workspace_id })}
          data={known(workspaces, filters.workspace_id)}
          w={170}
        />
      )}
      <TextInput
        type="date"
        label={w.audit.since}
        value={filters.since ?? ''}
        onChange={({ currentTarget }) => onChange({ since: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={w.audit.until}
        value={filters.until ?? ''}
        onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
      />
      {Object.keys(filters).length > 0 && (
        <Button
          variant="subtle"
          onClick={() => onChange(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}
        >
          {w.audit.clear}
        </Button>
      )}
    </Group>
  )
}
