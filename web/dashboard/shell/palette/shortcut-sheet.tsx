import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'
import { MOD_KEY } from './mod-key.ts'

/** Every shortcut that works on all pages. */
const SHORTCUTS = [
  { keys: [MOD_KEY, 'K'], does: 'goTo' },
  { keys: ['/'], does: 'search' },
  { keys: ['?'], does: 'sheet' },
  { keys: ['Esc'], does: 'escape' },
] as const

export function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const w = useWords()
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={w.palette.shortcuts}>
        <Modal.Body>
          <Title order={2} mb="md">
            {w.palette.shortcuts}
          </Title>
          <Stack gap="xs">
            {SHORTCUTS.map(({ keys, does }) => (
              <Group key={does} justify="space-between" wrap="nowrap">
                <Text size="sm">{w.palette.does[does]}</Text>
                <Group gap={4} wrap="nowrap">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
