import { Alert, Button, Group, List, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { useWords } from '../../words/words.tsx'
import classes from './bulk.module.css'
import {
  addTag,
  type BulkKind,
  removeConversation,
  retranscribe,
  saveText,
  transcriptText,
} from './operations.ts'
import { type BulkFailure, runBulk } from './run-bulk.ts'
import { TagForm } from './tag-form.tsx'

interface Props {
  projectId: string
  /** The titles of the selected conversations by id. */
  selected: ReadonlyMap<string, string>
  onSelect: (ids: readonly string[]) => void
  may: ReadonlySet<string>
  tags: string[]
}

interface Outcome {
  kind: BulkKind
  succeeded: number
  failures: (BulkFailure & { title: string })[]
}

/** Actions on all selected conversations. Those for which an action failed stay selected, with the reason. */
export function BulkBar({ projectId, selected, onSelect, may, tags }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState<'tag' | 'remove' | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const count = selected.size
  const run = async (kind: BulkKind, work: (id: string) => Promise<unknown>): Promise<void> => {
    setAsking(null)
    setOutcome(null)
    setProgress(0)
    const failures = await runBulk([...selected.keys()], work, setProgress)
    setProgress(null)
    const titled = failures.map((failure) => ({ ...failure, title: selected.get(failure.id) ?? '' }))
    setOutcome({ kind, succeeded: count - failures.length, failures: titled })
    onSelect(failures.map(({ id }) => id))
    await client.invalidateQueries({ queryKey: ['projects', projectId, 'conversations'] })
  }
  const download = async (): Promise<void> => {
    const texts = new Map<string, string>()
    await run('download', async (id) => texts.set(id, await transcriptText(id)))
    const inOrder = [...selected.keys()].flatMap((id) => texts.get(id) ?? [])
    if (inOrder.length > 0) saveText(`${w.bulk.fileName}.md`, inOrder.join('\n\n---\n\n'))
  }
  return (
    <>
      {outcome && <OutcomeNote outcome={outcome} onClose={() => setOutcome(null)} />}
      {count > 0 && (
        <Group className={classes['bar']} gap="xs" role="group" aria-label={w.bulk.bar}>
          <Text fw={600} role="status">
            {progress === null ? w.bulk.selected(count) : w.bulk.running(progress, count)}
          </Text>
          <Group gap="xs" ms="auto">
            {may.has('conversation:update') && (
              <>
                <Button
                  size="xs"
                  variant="default"
                  disabled={progress !== null}
                  onClick={() => setAsking('tag')}
                >
                  {w.bulk.tag}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  disabled={progress !== null}
                  onClick={() => void run('retranscribe', retranscribe)}
                >
                  {w.bulk.retranscribe}
                </Button>
              </>
            )}
            <Button size="xs" variant="default" disabled={progress !== null} onClick={() => void download()}>
              {w.bulk.download}
            </Button>
            {may.has('conversation:delete') && (
              <Button
                size="xs"
                color="red"
                variant="light"
                disabled={progress !== null}
                onClick={() => setAsking('remove')}
              >
                {w.bulk.remove}
              </Button>
            )}
            <Button size="xs" variant="subtle" disabled={progress !== null} onClick={() => onSelect([])}>
              {w.bulk.clear}
            </Button>
          </Group>
        </Group>
      )}
      <Modal opened={asking === 'tag'} onClose={() => setAsking(null)} title={w.bulk.tagTitle(count)}>
        <TagForm tags={tags} onSubmit={(tag) => void run('tag', (id) => addTag(id, tag))} />
      </Modal>
      <Modal opened={asking === 'remove'} onClose={() => setAsking(null)} title={w.bulk.removeTitle(count)}>
        <Text size="sm">{w.bulk.removeHelp}</Text>
        <Group mt="lg" justify="end">
          <Button variant="default" onClick={() => setAsking(null)} data-autofocus>
            {w.common.cancel}
          </Button>
          <Button color="red" onClick={() => void run('remove', removeConversation)}>
            {w.bulk.removeConfirm(count)}
          </Button>
        </Group>
      </Modal>
    </>
  )
}

const MAX_LISTED = 5

function OutcomeNote({ outcome, onClose }: { outcome: Outcome; onClose: () => void }): ReactNode {
  const w = useWords()
  const { kind, succeeded, failures } = outcome
  return (
    <Alert
      color={failures.length > 0 ? 'orange' : 'green'}
      withCloseButton
      closeButtonLabel={w.common.close}
      onClose={onClose}
      role="status"
    >
      {(succeeded > 0 || failures.length === 0) && <Text size="sm">{w.bulk.outcomes[kind](succeeded)}</Text>}
      {failures.length > 0 && (
        <>
          <Text size="sm">{w.bulk.failed(failures.length)}</Text>
          <List size="sm">
            {failures.slice(0, MAX_LISTED).map(({ id, title, error }) => (
              <List.Item key={id}>
                <bdi>{title}</bdi>: {error instanceof ApiProblem ? error.message : w.problems.unreachable}
              </List.Item>
            ))}
          </List>
          {failures.length > MAX_LISTED && <Text size="sm">{w.bulk.more(failures.length - MAX_LISTED)}</Text>}
        </>
      )}
    </Alert>
  )
}
