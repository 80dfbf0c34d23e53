import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'

/** A text that people take elsewhere. */
export function CopyField({
  label,
  value,
  help,
}: {
  label: string
  value: string
  help?: string
}): ReactNode {
  const w = useWords()
  return (
    <Group align="end" gap="xs" wrap="nowrap" w="100%">
      <TextInput
        label={label}
        description={help}
        value={value}
        readOnly
        flex={1}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-live="polite">
            {copied ? w.common.copied : w.common.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
