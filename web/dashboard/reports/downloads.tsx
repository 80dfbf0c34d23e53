import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { useWords } from '../words/words.tsx'
import classes from './report-text.module.css'

const FORMATS = ['html', 'md', 'pdf'] as const

export function Downloads({ report: { id, conversation_count } }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const address = (format: string): string => `/api/v2/reports/${id}?format=${format}`
  const button = { size: 'xs', variant: 'default' } as const
  return (
    <Group justify="space-between">
      <Text>{w.reports.covers(conversation_count)}</Text>
      <Group gap="xs" className={classes['screen']}>
        <Button {...button} onClick={() => print()}>
          {w.reports.print}
        </Button>
        <Button component="a" {...button} href={address('html')} target="_blank" rel="noopener">
          {w.reports.open}
        </Button>
        {FORMATS.map((format) => (
          <Button
            key={format}
            component="a"
            {...button}
            href={address(format)}
            download={`report.${format}`}
            aria-label={w.reports.downloadAs(w.reports.formats[format])}
          >
            {w.reports.formats[format]}
          </Button>
        ))}
      </Group>
    </Group>
  )
}
