import { Alert, Button, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Schemas, Versioned } from '../../api/client.ts'
import { onSubmit } from '../../ui/form.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useWords } from '../../words/words.tsx'
import { type Details, DetailsConflict, saveDetails } from './save-details.ts'

interface Props {
  conversation: Versioned<Schemas['ConversationInFull']>
  /** The tags of the project, as suggestions. */
  tags: string[]
}

/** Title, name and tags. Changes by someone else are not overwritten, and the typed text stays. */
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
  // A version that arrives while the form is open was not seen.
  const [opened] = useState(conversation)
  const [seen, setSeen] = useState(conversation)
  const { record } = opened
  const [chosen, setChosen] = useState(record.tags)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (wanted: Details) => saveDetails(opened.record, seen, wanted),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['conversations', record.id] })
      void client.invalidateQueries({ queryKey: ['projects', record.project_id, 'conversations'] })
      onClose()
    },
    // The values of the other person are then shown, and the next attempt replaces them.
    onError: (failure) => {
      if (failure instanceof DetailsConflict) setSeen(failure.current)
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
        {error instanceof DetailsConflict ? (
          <Conflict conflict={error} />
        ) : (
          error && <ProblemNote error={error} />
        )}
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

/** The values of the other person, beside what was typed. */
function Conflict({ conflict: { fields, current } }: { conflict: DetailsConflict }): ReactNode {
  const w = useWords()
  const { titleLabel: title, participant: participant_name, tags } = w.conversation
  const labels = { title, participant_name, tags }
  return (
    <Alert color="orange" role="alert">
      <Text size="sm">{w.problems.changedByOthers}</Text>
      {fields.map((field) => (
        <Text key={field} size="sm" mt={4}>
          {labels[field]}: <bdi>{[current.record[field] ?? []].flat().join(', ') || '–'}</bdi>
        </Text>
      ))}
    </Alert>
  )
}
