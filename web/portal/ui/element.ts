type Child = Node | string | null | undefined | false

interface Properties {
  /** Attributes; `true` sets an empty one, `false` and undefined none. */
  [attribute: string]: string | number | boolean | undefined | ((event: Event) => void)
}

/** Creates an element. Strings become text, never markup; functions become listeners (`onclick`). */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name.slice('on'.length), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value))
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** Changes the text only if it differs, so that screen readers do not repeat it. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
