import { Button, Card, Group, Stack, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas, type Versioned } from '../api/client.ts'
import { onSubmit } from '../ui/form.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { speakersQuery, transcriptVersion } from './queries.ts'

/** Names for the speakers, where the engine tells them apart. */
export function Speakers({ conversation }: { conversation: Schemas['ConversationInFull'] }): ReactNode {
  const w = useWords()
  const { data } = useQuery(speakersQuery(conversation.id, transcriptVersion(conversation)))
  if (!data || Object.keys(data.record).length === 0) return null
  return (
    <Card withBorder component="section" aria-labelledby="speakers">
      <Title order={2} id="speakers" mb="xs">
        {w.conversation.speakers}
      </Title>
      <SpeakersForm conversationId={conversation.id} speakers={data} />
    </Card>
  )
}

function SpeakersForm(props: {
  conversationId: string
  speakers: Versioned<Schemas['Speakers']>
}): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { conversationId, speakers } = props
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['SpeakersPatch']) =>
      dataOf(
        api.PATCH('/api/v2/conversations/{cid}/speakers', {
          params: { path: { cid: conversationId } },
          body,
          headers: { ...(speakers.etag && { 'If-Match': speakers.etag }) },
        }),
      ),
    // Also after a conflict: the names that were typed stay, and the next attempt replaces the new version.
    onSettled: () => client.invalidateQueries({ queryKey: ['conversations', conversationId] }),
  })
  const labels = Object.keys(speakers.record)
  return (
    <form
      onSubmit={onSubmit((field) =>
        mutate(Object.fromEntries(labels.map((label) => [label, field(label).trim() || null]))),
      )}
    >
      <Stack gap="xs">
        {labels.map((label) => (
          <TextInput
            key={label}
            name={label}
            label={w.conversation.speaker(label)}
            defaultValue={speakers.record[label] ?? ''}
            maxLength={200}
          />
        ))}
        {error && <ProblemNote error={error} />}
        <Group>
          <Button type="submit" size="xs" loading={isPending}>
            {w.conversation.saveNames}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
