import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

export function Delete({ report: { id, project_id } }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf<unknown>(api.DELETE('/api/v2/reports/{rid}', { params: { path: { rid: id } } })),
    onSuccess: async () => {
      await navigate({ to: '/projects/$pid/reports', params: { pid: project_id } })
      client.removeQueries({ queryKey: ['reports', id] })
      await client.invalidateQueries({ queryKey: ['projects', project_id, 'reports'] })
    },
  })
  return (
    <Group justify="end">
      <Button size="xs" color="red" variant="subtle" onClick={open}>
        {w.reports.removeReport}
      </Button>
      <Modal opened={isOpen} onClose={close} title={w.reports.removeTitle}>
        <Text size="sm">{w.reports.removeHelp}</Text>
        {error && <ProblemNote error={error} />}
        <Group mt="lg" justify="end">
          <Button variant="default" onClick={close} data-autofocus>
            {w.common.cancel}
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            {w.reports.remove}
          </Button>
        </Group>
      </Modal>
    </Group>
  )
}
