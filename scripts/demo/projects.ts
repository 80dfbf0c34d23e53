import { HARBOUR } from './stories/harbour.ts'
import { HOSPITAL } from './stories/hospital.ts'
import { SCHOOL } from './stories/school.ts'
import type { Story } from './stories/story.ts'

export type ProjectKey = 'harbour' | 'hospital' | 'school'

export interface DemoProject {
  key: ProjectKey
  /** As the API takes them. */
  fields: object
  stories: Story[]
  /** How many of the stories are from each day, from seven days ago to yesterday, and at which hour the first one began. */
  perDay: number[]
  hour: number
}

/** In the order of the day: night, morning, evening. */
export const PROJECTS: DemoProject[] = [
  {
    key: 'hospital',
    fields: {
      name: 'Nights at St. Clara',
      title: 'How was your night?',
      description:
        'Tell us how the night shift really is. No names: we do not ask for them, and please leave out those of patients.',
      finish_text: 'Thank you. The staff council reads every answer and reports back in three weeks.',
      language: 'en',
      languages: ['nl', 'de', 'fr', 'es', 'pl', 'it'],
      tags: ['emergency', 'intensive', 'maternity', 'surgery', 'cleaning'],
      hotwords: ['St. Clara', 'handover'],
      retention_days: 90,
      consent_text:
        'I agree that the staff council of St. Clara keeps what I say as text for 90 days, and uses it without my name to improve the night shift.',
      accent_color: '#5b3fa0',
    },
    stories: HOSPITAL,
    perDay: [2, 1, 2, 1, 2, 1, 2],
    hour: 3,
  },
  {
    key: 'school',
    fields: {
      name: 'A new timetable',
      title: 'When should school begin?',
      description: 'Pupils, parents and teachers: what does your day look like, and what should change?',
      finish_text: 'The school council discusses the results on the first Monday of the month.',
      language: 'en',
      languages: ['nl', 'de', 'fr', 'es'],
      tags: ['pupils', 'parents', 'teachers', 'staff'],
      ask_name: true,
      accent_color: '#0b6e4f',
    },
    stories: SCHOOL,
    perDay: [2, 2, 2, 2, 2, 2, 1],
    hour: 11,
  },
  {
    key: 'harbour',
    fields: {
      name: 'The old harbour',
      title: 'What should the old harbour become?',
      description:
        'A park, and a market in the evening: tell us what you like there, what you miss, and what disturbs you.\n\nThree minutes are enough.',
      finish_text: 'Thank you. The plan is made in spring, and every answer is read.',
      language: 'nl',
      languages: ['en', 'de', 'fr', 'es', 'pl', 'pt'],
      tags: ['market', 'park', 'noise', 'children', 'access', 'trade'],
      hotwords: ['Kadestraat', 'Sluisweg'],
      ask_name: true,
      consent_text:
        'I agree that the City of Havenbrug records what I say, turns it into text and uses it, without my name, to plan the old harbour.',
      accent_color: '#0b57d0',
    },
    stories: HARBOUR,
    perDay: [3, 3, 3, 3, 3, 3, 3],
    hour: 19,
  },
]

export const DAYS = 7

interface DatedStory extends Story {
  project: ProjectKey
  at: Date
}

/** The stories of a day, 7 to 1 days ago, in the order in which they were written. */
export function storiesOf(day: number, now = new Date()): DatedStory[] {
  return PROJECTS.flatMap(({ key, stories, perDay, hour }) => {
    const from = perDay.slice(0, DAYS - day).reduce((sum, count) => sum + count, 0)
    return stories.slice(from, from + (perDay[DAYS - day] ?? 0)).map((story, index) => {
      const at = new Date(now)
      at.setDate(at.getDate() - day)
      at.setHours(hour, 7 + index * 23 + day * 2, (index * 17 + day * 5) % 60, 0)
      return { ...story, project: key, at }
    })
  })
}
