import { Badge, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

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

export const theme = createTheme({
  colors: { green },
  primaryColor: 'green',
  primaryShade: { light: 8, dark: 5 },
  autoContrast: true,
  // Below it white text on a color has too little contrast: 3.0 on the green of the dark theme.
  luminanceThreshold: 0.25,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
  components: {
    // Words as they are written, and never cut.
    Badge: Badge.extend({
      defaultProps: { tt: 'none', fw: 600 },
      styles: { root: { flexShrink: 0 }, label: { overflow: 'visible' } },
    }),
  },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' } } },
})

/** The library's own have a contrast of 3.3 on white and 3.6 on the dark surfaces; 4.5 is needed to read small text. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5c636a', '--mantine-color-placeholder': '#6b7278' },
  dark: { '--mantine-color-dimmed': '#adb1b5', '--mantine-color-placeholder': '#94989c' },
})
