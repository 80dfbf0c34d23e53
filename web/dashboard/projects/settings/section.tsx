import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PreviewStep } from '../../preview/messages.ts'
import type { SetValue, Values } from './draft.ts'

/** The properties of each group of fields. */
export interface SectionProps {
  values: Values
  set: SetValue
  /** Error messages of the server, by field. */
  errors: ReadonlyMap<string, string>
  /** Shows the screen of the recording page that the fields change. */
  onStep: (step: PreviewStep) => void
}

export function Section(props: {
  id: string
  title: string
  onFocus?: () => void
  children: ReactNode
}): ReactNode {
  return (
    <Card
      withBorder
      component="section"
      aria-labelledby={props.id}
      {...(props.onFocus && { onFocusCapture: props.onFocus })}
    >
      <Title order={2} id={props.id} mb="sm">
        {props.title}
      </Title>
      <Stack gap="sm">{props.children}</Stack>
    </Card>
  )
}
