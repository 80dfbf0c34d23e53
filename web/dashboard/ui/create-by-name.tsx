import { Button, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { onSubmit } from './form.ts'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  label: string
  isPending: boolean
  error: Error | null
  onCreate: (name: string) => void
}

/** A record that needs nothing but a name to begin with. */
export function CreateByName({ label, isPending, error, onCreate }: Props): ReactNode {
  const w = useWords()
  return (
    <form onSubmit={onSubmit((field) => onCreate(field('name').trim()))}>
      <Group align="end" mb="sm">
        <TextInput name="name" label={label} required maxLength={200} flex={1} autoFocus />
        <Button type="submit" loading={isPending}>
          {w.home.create}
        </Button>
      </Group>
      {error && <ProblemNote error={error} />}
    </form>
  )
}
