import { Button, Card, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Project as PortalProject } from '../../../portal/api.ts'
import { stepsBefore } from '../../../portal/steps.ts'
import { PREVIEW_STEPS, type PreviewMessage, type PreviewStep, type Shown } from '../../preview/messages.ts'
import { useWords } from '../../words/words.tsx'
import { portalQuery } from '../queries.ts'
import { accentColors } from './accent.ts'
import type { Project, Values } from './draft.ts'
import classes from './settings.module.css'

interface Props {
  project: Project
  values: Values
  step: PreviewStep
  onStep: (step: PreviewStep) => void
}

/** The recording page in a frame, with values that are not saved yet. */
export function Preview({ project, values, step, onStep }: Props): ReactNode {
  const { preview: words } = useWords().projectSettings
  const { data: portal } = useQuery(portalQuery(project.id))
  const frame = useRef<HTMLIFrameElement>(null)
  /** Counts the loads of the frame: each has to be told what to show. */
  const [loads, setLoads] = useState(0)
  const [isOpen, { toggle }] = useDisclosure()
  const shown = previewOf(project, values, portal?.organisation ?? null)
  const steps = stepsOf(shown)
  const current = steps.includes(step) ? step : 'welcome'
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<PreviewMessage>): void => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return
      if (data.kind === 'ready') setLoads((count) => count + 1)
      else onStep(data.step)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onStep])
  const message = JSON.stringify({ kind: 'show', project: shown, step: current } satisfies Shown)
  useEffect(() => {
    if (loads > 0) frame.current?.contentWindow?.postMessage(JSON.parse(message), location.origin)
  }, [loads, message])
  return (
    <Card
      withBorder
      component="section"
      aria-labelledby="preview"
      className={classes['preview']}
      {...(!isOpen && { 'data-closed': true })}
    >
      <Group justify="space-between">
        <Title order={2} id="preview">
          {words.title}
        </Title>
        <Button hiddenFrom="md" size="xs" variant="default" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? words.hide : words.show}
        </Button>
      </Group>
      <div className={classes['body']}>
        <Text size="xs" c="dimmed" mb="xs">
          {words.help}
        </Text>
        <Group gap={4} role="group" aria-label={words.screen}>
          {steps.map((one) => (
            <Button
              key={one}
              size="compact-sm"
              variant={one === current ? 'filled' : 'default'}
              aria-pressed={one === current}
              onClick={() => onStep(one)}
            >
              {words.steps[one]}
            </Button>
          ))}
        </Group>
        <iframe ref={frame} src="/preview" title={words.title} className={classes['frame']} />
      </div>
    </Card>
  )
}

/** The screens that participants of this project see. */
const stepsOf = (project: PortalProject): PreviewStep[] =>
  PREVIEW_STEPS.filter(
    (step) => (step !== 'consent' && step !== 'about') || stepsBefore(project).some((one) => one === step),
  )

function previewOf(project: Project, values: Values, organisation: string | null): PortalProject {
  const { privacy_url, accent_color, hotwords: _hotwords, retention_days: _days, ...texts } = values
  return {
    ...texts,
    id: project.id,
    is_open: project.is_open,
    name: texts.name || project.name,
    organisation,
    privacy_url: privacy_url?.startsWith('https://') ? privacy_url : null,
    accent_colors: accentColors(accent_color),
    logo_url: project.logo_url,
  }
}
