import { Button, Group, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import classes from './transcript.module.css'

interface Props {
  conversationId: string
  segmentId: string
  entry: Schemas['TranscriptText']
}

/** What was said, which a host can correct. The original is kept and can be restored. */
export function Correction({ conversationId, segmentId, entry }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [draft, setDraft] = useState<string | null>(null)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (text: string | null) =>
      dataOf(
        api.PATCH('/api/v2/conversations/{cid}/segments/{sid}', {
          params: { path: { cid: conversationId, sid: segmentId } },
          body: { text },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['conversations', conversationId] })
      setDraft(null)
    },
  })
  const close = () => {
    reset()
    setDraft(null)
  }
  if (draft === null)
    return (
      <>
        <Text component="span" dir="auto" lang={entry.language}>
          {entry.text}
        </Text>{' '}
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes['edit']}
          onClick={() => setDraft(entry.text)}
        >
          {w.conversation.edit}
        </Button>
      </>
    )
  return (
    <>
      <Textarea
        aria-label={w.conversation.editLabel}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && close()}
        autosize
        autoFocus
        dir="auto"
      />
      {error && <ProblemNote error={error} />}
      <Group gap="xs" mt={6}>
        <Button size="xs" loading={isPending} onClick={() => mutate(draft.trim())}>
          {w.common.save}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {w.common.cancel}
        </Button>
        {entry.original_text !== undefined && (
          <Button size="xs" variant="subtle" onClick={() => mutate(null)}>
            {w.conversation.restore}
          </Button>
        )}
      </Group>
    </>
  )
}
