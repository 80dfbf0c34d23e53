import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  title: string
  /** The choice to make, above the reason. */
  children: ReactNode
  /** Whether something is chosen. */
  isReady: boolean
  color?: string
  action: string
  apply: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** A change by staff. It needs a reason, which the customer can read in the audit log. */
export function WithReason({ title, children, isReady, color, action, apply, onClose }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => apply(reason.trim()),
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries()
    },
  })
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="sm">
          {children}
          <Textarea
            label={w.staff.reason}
            description={w.staff.reasonHelp}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            required
            maxLength={1000}
            autosize
            minRows={2}
          />
          {error && <ProblemNote error={error} />}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {w.common.cancel}
            </Button>
            <Button
              type="submit"
              {...(color && { color })}
              loading={isPending}
              disabled={!isReady || reason.trim() === ''}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
