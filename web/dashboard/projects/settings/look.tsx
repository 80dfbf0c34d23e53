import { Button, ColorSwatch, FileButton, Group, Image, Input, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type Versioned, versionOf } from '../../api/client.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { bytes } from '../../usage/format.ts'
import { useWords } from '../../words/words.tsx'
import { projectQuery } from '../queries.ts'
import { contrastWithWhite, isColor, MIN_CONTRAST } from './accent.ts'
import { type Project, textOrNull } from './draft.ts'
import { Section, type SectionProps } from './section.tsx'
import classes from './settings.module.css'

interface Props extends SectionProps {
  project: Project
  /** After the logo was set or removed, which is saved immediately. */
  onLogo: (project: Versioned<Project>) => void
}

/** The colour and the logo of the recording page. */
export function Look({ project, onLogo, ...props }: Props): ReactNode {
  const { sections } = useWords().projectSettings
  return (
    <Section id="look" title={sections.look} onFocus={() => props.onStep('welcome')}>
      <Accent {...props} />
      <Logo project={project} onLogo={onLogo} />
    </Section>
  )
}

/** Rounded down, so that a colour that misses the limit is never shown with it. */
const ratioOf = (color: string): string => (Math.floor(contrastWithWhite(color) * 100) / 100).toFixed(2)

function Accent({ values, set, errors }: SectionProps): ReactNode {
  const { fields, help, color: words } = useWords().projectSettings
  const { accent_color: color } = values
  const isKnown = color !== null && isColor(color)
  const isPale = isKnown && contrastWithWhite(color) < MIN_CONTRAST
  const error = color !== null && !isKnown ? words.invalid : isPale ? words.pale : errors.get('accent_color')
  return (
    <div>
      <Group align="end" gap="xs">
        <TextInput
          label={fields.accent_color}
          description={help.accent_color}
          placeholder="#0d6957"
          value={color ?? ''}
          onChange={({ currentTarget }) => set('accent_color', textOrNull(currentTarget.value))}
          maxLength={7}
          w={300}
          aria-invalid={error !== undefined}
        />
        <input
          type="color"
          aria-label={words.pick}
          className={classes['color']}
          value={isKnown ? color.toLowerCase() : '#0d6957'}
          onChange={({ currentTarget }) => set('accent_color', currentTarget.value)}
        />
        {color !== null && (
          <Button variant="subtle" size="sm" onClick={() => set('accent_color', null)}>
            {words.clear}
          </Button>
        )}
      </Group>
      <Group gap="xs" mt={4} role="status" wrap="nowrap">
        {isKnown && <ColorSwatch color={color} size={14} aria-hidden />}
        <Text size="sm" c={error ? 'red' : 'dimmed'}>
          {[isKnown && words.contrast(ratioOf(color)), error ?? (isKnown && words.fine)]
            .filter(Boolean)
            .join('. ')}
        </Text>
      </Group>
    </div>
  )
}

const MAX_LOGO_BYTES = 1024 ** 2
const TYPES = 'image/png,image/jpeg'

function Logo({ project, onLogo }: Pick<Props, 'project' | 'onLogo'>): ReactNode {
  const { fields, logo: words } = useWords().projectSettings
  const client = useQueryClient()
  const params = { path: { pid: project.id } }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File | null) => {
      const url = '/api/v2/projects/{pid}/logo'
      if (file)
        return versionOf(
          api.PUT(url, {
            params,
            body: file as never,
            bodySerializer: (body: unknown) => body as File,
            headers: { 'content-type': file.type },
          }),
        )
      await versionOf(api.DELETE(url, { params }))
      return versionOf(api.GET('/api/v2/projects/{pid}', { params }))
    },
    onSuccess: async (changed) => {
      onLogo(changed)
      client.setQueryData(projectQuery(project.id).queryKey, changed)
      await client.invalidateQueries({ queryKey: ['projects', project.id, 'portal'] })
    },
  })
  return (
    <Input.Wrapper label={fields.logo} description={words.help(bytes(MAX_LOGO_BYTES))} labelElement="div">
      <Group mt={6}>
        {project.logo_url ? (
          <Image
            src={project.logo_url}
            alt={words.alt}
            h={48}
            w="auto"
            maw={200}
            fit="contain"
            bg="white"
            p={4}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {words.none}
          </Text>
        )}
        <FileButton accept={TYPES} onChange={(file) => file && mutate(file)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isPending}>
              {project.logo_url ? words.replace : words.choose}
            </Button>
          )}
        </FileButton>
        {project.logo_url && (
          <Button variant="subtle" color="red" size="xs" disabled={isPending} onClick={() => mutate(null)}>
            {words.remove}
          </Button>
        )}
      </Group>
      {error && <ProblemNote error={error} />}
    </Input.Wrapper>
  )
}
