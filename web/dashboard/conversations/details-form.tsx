import { Button, Group, Modal, Stack, TagsInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas, type Versioned } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { onSubmit } from '../ui/form.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { conversationQuery } from './queries.ts'

interface Props {
  conversation: Versioned<Schemas['ConversationInFull']>
  /** The tags of the project, as suggestions. */
  tags: string[]
}

/** Title, name and tags. Changes by someone else are not overwritten: the API refuses the save, and the typed text stays. */
export function EditDetails({ conversation, tags }: Props): ReactNode {
  const w = useWords()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        {w.conversation.editDetails}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={w.conversation.editDetails}>
        <DetailsForm conversation={conversation} tags={tags} onClose={() => setIsOpen(false)} />
      </Modal>
    </>
  )
}

function DetailsForm({ conversation, tags, onClose }: Props & { onClose: () => void }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { record } = conversation
  const [chosen, setChosen] = useState(record.tags)
  // The version that the form shows: one that arrives while it is open was not seen.
  const [seen, setSeen] = useState(conversation.etag)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['UpdateConversationRequest']) =>
      dataOf(
        api.PATCH('/api/v2/conversations/{cid}', {
          params: { path: { cid: record.id } },
          body,
          headers: { ...(seen && { 'If-Match': seen }) },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['conversations', record.id] })
      void client.invalidateQueries({ queryKey: ['projects', record.project_id, 'conversations'] })
      onClose()
    },
    // The new version is shown behind the form, and the next attempt replaces it.
    onError: async (failure) => {
      if (!(failure instanceof ApiProblem && failure.status === 412)) return
      const { etag } = await client.fetchQuery({ ...conversationQuery(record.id), staleTime: 0 })
      setSeen(etag)
    },
  })
  return (
    <form
      onSubmit={onSubmit((field) =>
        mutate({
          title: field('title').trim() || null,
          participant_name: field('participant_name').trim() || null,
          tags: chosen,
        }),
      )}
    >
      <Stack>
        <TextInput
          name="title"
          label={w.conversation.titleLabel}
          description={w.conversation.titleHelp}
          defaultValue={record.title ?? ''}
          maxLength={300}
          data-autofocus
        />
        <TextInput
          name="participant_name"
          label={w.conversation.participant}
          defaultValue={record.participant_name ?? ''}
          maxLength={200}
        />
        <TagsInput
          label={w.conversation.tags}
          description={w.conversation.tagsHelp}
          value={chosen}
          onChange={setChosen}
          data={tags}
          maxLength={100}
        />
        {error && <ProblemNote error={error} />}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {w.common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {w.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
