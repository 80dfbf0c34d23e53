import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'
import { namesOf } from './changes.tsx'
import { type Changes, fieldsOf } from './draft.ts'

/** Asks before unsaved changes are left. */
export function AskBeforeLeaving({ changes, discard }: { changes: Changes; discard: () => void }): ReactNode {
  const w = useWords()
  const { leave: words } = w.projectSettings
  const isUnsaved = fieldsOf(changes).length > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const isAsking = blocker.status === 'blocked'
  return (
    <Modal opened={isAsking} onClose={() => blocker.reset?.()} title={words.title}>
      <Text size="sm">{words.text(namesOf(fieldsOf(changes), w))}</Text>
      <Group justify="end" mt="lg">
        <Button
          variant="subtle"
          color="red"
          onClick={() => {
            discard()
            blocker.proceed?.()
          }}
        >
          {words.discard}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {words.stay}
        </Button>
      </Group>
    </Modal>
  )
}
