import { Alert, Button, Group, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import classes from './transcript.module.css'

interface Props {
  conversationId: string
  segmentId: string
  entry: Schemas['TranscriptText']
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The text of a segment, which a host can correct. The original is kept and can be restored. */
export function Correction({ isOpen, onOpen, ...props }: Props): ReactNode {
  const w = useWords()
  const { entry } = props
  if (isOpen) return <CorrectionForm {...props} onClose={() => onOpen(false)} />
  return (
    <>
      <Text component="span" dir="auto" lang={entry.language}>
        {entry.text}
      </Text>{' '}
      <Button size="compact-xs" variant="subtle" className={classes['edit']} onClick={() => onOpen(true)}>
        {w.conversation.edit}
      </Button>
    </>
  )
}

type FormProps = Omit<Props, 'isOpen' | 'onOpen'> & { onClose: () => void }

function CorrectionForm({ conversationId, segmentId, entry, onClose }: FormProps): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [draft, setDraft] = useState(entry.text)
  // The text that the host saw. When someone else corrects it first, theirs is shown before anything is overwritten.
  const [seen, setSeen] = useState({ text: entry.text, etag: entry.etag })
  const refresh = () => client.invalidateQueries({ queryKey: ['conversations', conversationId] })
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (text: string | null) =>
      dataOf(
        api.PATCH('/api/v2/conversations/{cid}/segments/{sid}', {
          params: { path: { cid: conversationId, sid: segmentId } },
          body: { text },
          headers: { ...(seen.etag && { 'If-Match': seen.etag }) },
        }),
      ),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
    onError: (failure) => {
      if (isConflict(failure)) void refresh()
    },
  })
  // While it is saved, the new version is the host's own.
  const hasConflict = isConflict(error) || (!isPending && entry.etag !== seen.etag)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || hasConflict) return
    event.preventDefault()
    mutate(draft.trim())
  }
  return (
    <>
      <Textarea
        aria-label={w.conversation.editLabel}
        description={w.conversation.editKeys}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        autoFocus
        dir="auto"
      />
      {hasConflict && (
        <Alert color="orange" mt="xs" role="alert" title={w.conversation.conflict}>
          <Text size="sm" dir="auto">
            {entry.etag === seen.etag ? w.common.loading : w.conversation.theirs(entry.text)}
          </Text>
          <Group gap="xs" mt="xs">
            <Button
              size="xs"
              onClick={() => {
                reset()
                setSeen({ text: entry.text, etag: entry.etag })
              }}
            >
              {w.conversation.keepMine}
            </Button>
            <Button size="xs" variant="default" onClick={onClose}>
              {w.conversation.takeTheirs}
            </Button>
          </Group>
        </Alert>
      )}
      {error && !isConflict(error) && <ProblemNote error={error} />}
      {!hasConflict && (
        <Group gap="xs" mt={6}>
          <Button size="xs" loading={isPending} onClick={() => mutate(draft.trim())}>
            {w.common.save}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {w.common.cancel}
          </Button>
          {entry.original_text !== undefined && (
            <Button size="xs" variant="subtle" onClick={() => mutate(null)}>
              {w.conversation.restore}
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412
