import { Badge, type CSSVariablesResolver, createTheme, type MantineColorsTuple, Modal } from '@mantine/core'
import type { Words } from './words/en/index.ts'

/** The green of the recording page. */
const green: MantineColorsTuple = [
  '#e8f7f3',
  '#d3ebe4',
  '#a6d7c9',
  '#76c2ad',
  '#4fb095',
  '#37a586',
  '#299f7e',
  '#178a6b',
  '#0d6957',
  '#00573f',
]

export const themeOf = ({ common }: Words): ReturnType<typeof createTheme> =>
  createTheme({
    colors: { green },
    primaryColor: 'green',
    // The same in the dark theme: white text on a lighter green has a contrast of 3.
    primaryShade: 8,
    autoContrast: true,
    defaultRadius: 'md',
    cursorType: 'pointer',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
    components: {
      // Words as they are written, and never cut.
      Badge: Badge.extend({
        defaultProps: { tt: 'none', fw: 600 },
        styles: { root: { flexShrink: 0 }, label: { overflow: 'visible' } },
      }),
      // The library draws a close button without a name, and a second header of the page.
      Modal: Modal.extend({
        defaultProps: {
          closeButtonProps: { 'aria-label': common.close },
          attributes: { header: { role: 'none' } },
        },
      }),
    },
    headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' } } },
  })

/** The greys, reds and oranges of the library are too pale for small text: contrast below 4.5. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-orange-light-color': '#a03600',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    // The library's are nearly white, so that a button that deletes looks like any other.
    '--mantine-color-red-light-color': 'var(--mantine-color-red-3)',
    '--mantine-color-orange-light-color': 'var(--mantine-color-orange-2)',
    '--mantine-color-green-light-color': 'var(--mantine-color-green-2)',
  },
})
