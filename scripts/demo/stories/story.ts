/** The text of one participant. Invented for this demo; no real person said any of it. */
export interface Story {
  language: 'en' | 'nl' | 'de' | 'fr' | 'es' | 'pl'
  name: string | null
  tags: string[]
  text: string
}
