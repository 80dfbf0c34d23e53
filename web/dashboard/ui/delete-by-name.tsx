import { Button, Card, Group, List, Modal, Text, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useWords } from '../words/words.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  /** The user types it to confirm. */
  name: string
  title: string
  help: string
  /** The records that are erased. Null while the numbers load. */
  erased: string[] | null
  /** The records that are kept. */
  kept?: string
  isPending: boolean
  error: Error | null
  onConfirm: () => void
}

/** A deletion that names what is erased, and asks for the name before it starts. */
export function DeleteByName({ title, ...props }: Props): ReactNode {
  const [isOpen, { open, close }] = useDisclosure()
  const w = useWords()
  return (
    <Card withBorder component="section" aria-labelledby="danger">
      <Title order={2} id="danger">
        {title}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {w.danger.help}
        </Text>
        <Button color="red" variant="light" onClick={open}>
          {w.danger.open}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={title} size="lg">
        <Confirmation {...props} onCancel={close} />
      </Modal>
    </Card>
  )
}

function Confirmation(props: Omit<Props, 'title'> & { onCancel: () => void }): ReactNode {
  const { name, help, erased, kept, isPending, error, onConfirm, onCancel } = props
  const w = useWords()
  const [typed, setTyped] = useState('')
  const isSame = typed.trim() === name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isSame) onConfirm()
      }}
    >
      <Text size="sm" mb="xs">
        {help}
      </Text>
      <List size="sm" mb="md">
        {erased?.map((what) => (
          <List.Item key={what}>{what}</List.Item>
        ))}
      </List>
      {kept && (
        <Text size="sm" mb="md">
          {kept}
        </Text>
      )}
      <TextInput
        label={w.danger.typeName(name)}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      {error && <ProblemNote error={error} />}
      <Group mt="lg" justify="end">
        <Button variant="default" onClick={onCancel}>
          {w.common.cancel}
        </Button>
        <Button type="submit" color="red" disabled={!isSame} loading={isPending}>
          {w.danger.confirm}
        </Button>
      </Group>
    </form>
  )
}
