import type { Project } from '../api.ts'

/** Uses the project's colours for what can be pressed. The server has checked their contrast. */
export function applyAccent(colors: Project['accent_colors']): void {
  const { style } = document.documentElement
  for (const [theme, { fill, text }] of Object.entries(colors ?? {})) {
    style.setProperty(`--accent-${theme}`, fill)
    style.setProperty(`--on-accent-${theme}`, text)
  }
}
