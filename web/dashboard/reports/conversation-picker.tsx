import { Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { conversationsQuery } from '../conversations/queries.ts'
import { projectQuery } from '../projects/queries.ts'
import { SelectFilter } from '../ui/filter-fields.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import classes from './conversation-picker.module.css'

const TYPING_MS = 300
/** The most that a report can use. */
const MAX_CHOSEN = 2_000

interface Props {
  projectId: string
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Finished conversations to tick, found by words and tag. Ticked ones stay ticked while the search changes. */
export function ConversationPicker({ projectId, chosen, onChange }: Props): ReactNode {
  const w = useWords()
  const [typed, setTyped] = useState('')
  const [tag, setTag] = useState<string | null>(null)
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { data: project } = useQuery(projectQuery(projectId))
  const list = useInfiniteQuery(
    conversationsQuery(projectId, { status: 'done', ...(q && { q }), ...(tag && { tag }) }),
  )
  const shown = list.data?.pages.flatMap((page) => page.data)
  const tags = project?.record.tags ?? []
  const set = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen && next.size < MAX_CHOSEN) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  const addShown = () =>
    onChange(new Set([...chosen, ...(shown ?? []).map(({ id }) => id)].slice(0, MAX_CHOSEN)))
  return (
    <Stack gap="xs" role="group" aria-label={w.reports.which}>
      <Group gap="xs">
        <TextInput
          type="search"
          aria-label={w.reports.search}
          placeholder={w.reports.search}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          // Enter would send the form around it.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          flex="1 1 14rem"
        />
        {tags.length > 0 && (
          <SelectFilter
            label={w.reports.tag}
            any={w.reports.tag}
            value={tag}
            onChange={setTag}
            data={tags}
            w={160}
          />
        )}
      </Group>
      {list.error && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {!shown && !list.error && <Skeleton height={160} />}
      {shown?.length === 0 && (
        <Text size="sm" c="dimmed">
          {w.reports.noneFound}
        </Text>
      )}
      {shown && shown.length > 0 && (
        <div className={classes['list']}>
          {shown.map(({ id, title, participant_name, tags: own }) => (
            <Checkbox
              key={id}
              checked={chosen.has(id)}
              onChange={({ currentTarget }) => set(id, currentTarget.checked)}
              label={<bdi>{title ?? w.common.untitled}</bdi>}
              description={<bdi>{[participant_name ?? w.conversations.anonymous, ...own].join(' · ')}</bdi>}
            />
          ))}
          <MoreButton list={list} />
        </div>
      )}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {w.reports.chosen(chosen.size)}
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="subtle" onClick={addShown} disabled={!shown?.length}>
            {w.reports.pickShown}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onChange(new Set())}
            disabled={chosen.size === 0}
          >
            {w.reports.unpick}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
