import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { DayFilter, SelectFilter } from '../ui/filter-fields.tsx'
import { PhoneFilters } from '../ui/phone-filters.tsx'
import { useWords } from '../words/words.tsx'
import type { AuditFilters } from './filters.ts'

interface Choice {
  value: string
  label: string
}

interface Props {
  filters: AuditFilters
  onChange: (changed: Record<string, unknown>) => void
  /** Empty while they load. */
  actors: Choice[]
  /** Null: the log is not narrowed down to a workspace. */
  workspaces: Choice[] | null
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
      <PhoneFilters chosen={Object.keys(filters).length}>
        <SelectFilter
          label={w.audit.action}
          any={w.audit.anyAction}
          searchable
          value={filters.action}
          onChange={(action) => onChange({ action })}
          data={known(actions, filters.action)}
          flex="1 1 11rem"
        />
        <SelectFilter
          label={w.audit.actor}
          any={w.audit.anyActor}
          searchable
          value={filters.actor_id}
          onChange={(actor_id) => onChange({ actor_id })}
          data={known(actors, filters.actor_id)}
          w={160}
        />
        {workspaces && (
          <SelectFilter
            label={w.audit.workspace}
            any={w.audit.anyWorkspace}
            searchable
            value={filters.workspace_id}
            onChange={(workspace_id) => onChange({ workspace_id })}
            data={known(workspaces, filters.workspace_id)}
            w={160}
          />
        )}
        <DayFilter
          label={w.audit.firstDay}
          word={w.audit.since}
          value={filters.since}
          max={filters.until}
          onChange={(since) => onChange({ since })}
        />
        <DayFilter
          label={w.audit.lastDay}
          word={w.audit.until}
          value={filters.until}
          min={filters.since}
          onChange={(until) => onChange({ until })}
        />
      </PhoneFilters>
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
