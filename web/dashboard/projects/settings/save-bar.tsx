import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useWords } from '../../words/words.tsx'
import { fieldsOf } from './draft.ts'
import classes from './settings.module.css'
import type { Draft } from './use-draft.ts'
import type { NeedsAgreement } from './use-save.ts'

interface Props {
  draft: Draft
  isPending: boolean
  /** Whether the user has to choose first. */
  isBlocked: boolean
  error: Error | null
  /** The message after a save; null before. */
  saved: string | null
  onDiscard: () => void
}

/** At the bottom of the window, so that it is never out of sight. */
export function SaveBar({ draft, isPending, isBlocked, error, saved, onDiscard }: Props): ReactNode {
  const w = useWords()
  const words = w.projectSettings
  const count = fieldsOf(draft.changes).length
  if (count === 0 && saved === null) return null
  return (
    <div className={classes['bar']}>
      {error && <ProblemNote error={error} />}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {count > 0 ? words.unsaved(count) : saved}
          {count > 0 && draft.isRestored && ` · ${words.restored}`}
        </Text>
        <Group gap="xs">
          {count > 0 && (
            <Button variant="default" onClick={onDiscard}>
              {words.discard}
            </Button>
          )}
          <Button type="submit" loading={isPending} disabled={count === 0 || isBlocked}>
            {w.common.save}
          </Button>
        </Group>
      </Group>
    </div>
  )
}

/** Before a retention erases conversations. */
export function Agreement(props: {
  needed: NeedsAgreement | null
  onAgree: (expired: number) => void
  onCancel: () => void
}): ReactNode {
  const w = useWords()
  const { retention: words } = w.projectSettings
  const { needed, onAgree, onCancel } = props
  return (
    <Modal opened={needed !== null} onClose={onCancel} title={needed && words.confirmTitle(needed.expired)}>
      <Text size="sm">{needed && words.confirmText(needed.expired, needed.days)}</Text>
      <Group justify="end" mt="lg">
        <Button variant="default" data-autofocus onClick={onCancel}>
          {w.common.cancel}
        </Button>
        <Button color="red" onClick={() => needed && onAgree(needed.expired)}>
          {words.confirm}
        </Button>
      </Group>
    </Modal>
  )
}
