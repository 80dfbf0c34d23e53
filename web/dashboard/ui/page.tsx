import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageProps {
  title: string
  /** Above the title: where this is. */
  above?: ReactNode
  /** On the right of the title. */
  actions?: ReactNode
  /** For two columns that both need room. */
  isWide?: boolean
  children: ReactNode
}

export function Page({ title, above, actions, isWide = false, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  return (
    <Stack gap="lg" maw={isWide ? 1280 : 1080} mx="auto" w="100%">
      <Group justify="space-between" align="end" gap="sm">
        <Box miw={0}>
          {above && (
            <Text size="sm" c="dimmed" component="div">
              {above}
            </Text>
          )}
          <Title order={1} dir="auto">
            {title}
          </Title>
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

/** A list without entries says what to do next. */
export const Empty = ({
  title,
  help,
  children,
}: {
  /** Not where the page has it as its heading. */
  title?: string
  help: string
  children?: ReactNode
}): ReactNode => (
  <Stack align="center" gap={4} py="xl" ta="center">
    {title && <Text fw={600}>{title}</Text>}
    <Text size="sm" c="dimmed" maw={420}>
      {help}
    </Text>
    {children && <Box mt="sm">{children}</Box>}
  </Stack>
)
