import { Button, Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { DayFilter, SelectFilter } from '../ui/filter-fields.tsx'
import { PhoneFilters } from '../ui/phone-filters.tsx'
import { useWords } from '../words/words.tsx'
import { type Filters, readFilters, SOURCES, STATUSES } from './filters.ts'
import { languageName } from './language-name.ts'

const TYPING_MS = 300

interface Props {
  filters: Filters
  /** Undefined while they load: the filter has its place already. */
  tags: string[] | undefined
  /** Those of the project, and those that the list shows. Undefined while they load. */
  languages: string[] | undefined
}

export function FilterBar({ filters, tags, languages }: Props): ReactNode {
  const w = useWords()
  const navigate = useNavigate({ from: '/projects/$pid/conversations' })
  const set = (changed: Partial<Record<keyof Filters, string | null>>) =>
    void navigate({ search: (before) => readFilters({ ...before, ...changed }), replace: true })
  const search = useDebouncedCallback((q: string) => set({ q }), TYPING_MS)
  const { q, ...others } = filters
  const field = useRef<HTMLInputElement>(null)
  // A link or the Back button can lead to another search. While someone types, the address is behind the field.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = q ?? ''
  }, [q])
  const chosen = Object.keys(others).length
  const chosenTags = filters.tag && !tags?.includes(filters.tag) ? [filters.tag, ...(tags ?? [])] : tags
  return (
    <Group gap="xs" align="end">
      <TextInput
        ref={field}
        type="search"
        aria-label={w.conversations.search}
        placeholder={w.conversations.search}
        defaultValue={q ?? ''}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        maxLength={200}
        flex="1 1 16rem"
      />
      <PhoneFilters chosen={chosen}>
        <SelectFilter
          label={w.conversations.status}
          any={w.conversations.anyStatus}
          value={filters.status}
          onChange={(status) => set({ status })}
          data={STATUSES.map((value) => ({ value, label: w.conversations.statuses[value] }))}
          w={150}
        />
        <SelectFilter
          label={w.conversations.source}
          any={w.conversations.anySource}
          value={filters.source}
          onChange={(source) => set({ source })}
          data={SOURCES.map((value) => ({ value, label: w.conversations.sources[value] }))}
          w={140}
        />
        {chosenTags?.length !== 0 && (
          <SelectFilter
            label={w.conversations.tag}
            any={w.conversations.tag}
            searchable
            value={filters.tag}
            onChange={(tag) => set({ tag })}
            data={chosenTags ?? []}
            w={140}
          />
        )}
        {languages?.length !== 0 && (
          <SelectFilter
            label={w.conversations.language}
            any={w.conversations.anyLanguage}
            value={filters.language}
            onChange={(language) => set({ language })}
            data={(languages ?? []).map((value) => ({ value, label: languageName(value) }))}
            w={150}
          />
        )}
        <DayFilter
          label={w.conversations.fromDay}
          word={w.conversations.from}
          value={filters.from}
          max={filters.to}
          onChange={(from) => set({ from })}
        />
        <DayFilter
          label={w.conversations.toDay}
          word={w.conversations.to}
          value={filters.to}
          min={filters.from}
          onChange={(to) => set({ to })}
        />
      </PhoneFilters>
      {chosen > 0 && (
        <Button variant="subtle" onClick={() => void navigate({ search: q ? { q } : {}, replace: true })}>
          {w.conversations.clear}
        </Button>
      )}
    </Group>
  )
}
