import { Button, Group, Menu, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  conversation: Schemas['ConversationInFull']
  may: ReadonlySet<string>
}

const FORMATS = ['txt', 'md', 'vtt', 'srt', 'json'] as const

/** Offers only the actions that the role allows. The API checks them again. */
export function Actions({ conversation: { id, project_id, status }, may }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [isAsking, asking] = useDisclosure()
  const redo = useMutation({
    mutationFn: (what: 'retranscribe' | 'summarize') =>
      dataOf<unknown>(
        what === 'retranscribe'
          ? api.POST('/api/v2/conversations/{cid}/retranscribe', { params: { path: { cid: id } } })
          : api.POST('/api/v2/conversations/{cid}/summarize', { params: { path: { cid: id } } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['conversations', id] }),
  })
  const isFinal = status === 'done' || status === 'failed'
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs">
            {w.conversation.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{w.conversation.download}</Menu.Label>
          {FORMATS.map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={`/api/v2/conversations/${id}/transcript?format=${format}`}
              download={`transcript.${format}`}
            >
              {w.conversation.formats[format]}
            </Menu.Item>
          ))}
          {may.has('conversation:update') && isFinal && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => redo.mutate('retranscribe')}>{w.conversation.retranscribe}</Menu.Item>
              <Menu.Item onClick={() => redo.mutate('summarize')}>{w.conversation.summarize}</Menu.Item>
            </>
          )}
          {may.has('conversation:delete') && (
            <>
              <Menu.Divider />
              <Menu.Item color="red" onClick={asking.open}>
                {w.conversation.remove}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {redo.error && <ProblemNote error={redo.error} />}
      <Modal opened={isAsking} onClose={asking.close} title={w.conversation.removeTitle}>
        <Remove id={id} projectId={project_id} onCancel={asking.close} />
      </Modal>
    </>
  )
}

function Remove({
  id,
  projectId,
  onCancel,
}: {
  id: string
  projectId: string
  onCancel: () => void
}): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/v2/conversations/{cid}', { params: { path: { cid: id } } })),
    onSuccess: async () => {
      await navigate({ to: '/projects/$pid/conversations', params: { pid: projectId } })
      client.removeQueries({ queryKey: ['conversations', id] })
      await client.invalidateQueries({ queryKey: ['projects', projectId, 'conversations'] })
    },
  })
  return (
    <>
      <Text size="sm">{w.conversation.removeHelp}</Text>
      {error && <ProblemNote error={error} />}
      <Group mt="lg" justify="end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {w.common.cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          {w.conversation.removeConfirm}
        </Button>
      </Group>
    </>
  )
}
