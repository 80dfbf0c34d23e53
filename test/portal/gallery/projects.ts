import type { Language } from '../../../web/portal/languages/languages.ts'

/** The languages in which every screen is looked at: short words, long words, right to left. */
export const GALLERY_LANGUAGES = ['en', 'de', 'ar'] as const satisfies Language[]
export type GalleryLanguage = (typeof GALLERY_LANGUAGES)[number]

/** A consultation of a city, with everything that a host can set. */
export const PROJECTS: Record<GalleryLanguage, { organisation: string; said: string; fields: object }> = {
  en: {
    organisation: 'City of Millbrook',
    said: 'The park by the river is lovely, but there are hardly any benches in the shade. My mother is eighty and she walks there every day. She would sit down more often if there were a place under the trees. And please keep the old bandstand: we used to dance there.',
    fields: {
      title: 'What should our park become?',
      description:
        'The river park will be redesigned next year. Tell us what you like there, what you miss, and what must stay.\n\nThree minutes are enough. Longer is welcome.',
      consent_text:
        'I agree that the City of Millbrook records what I say, turns it into text and uses it, without my name, to plan the river park.\n\nThe recording is kept for 90 days and then erased. I can withdraw at any time.',
      finish_text:
        'What you told us goes straight to the people who plan the park. We publish the results in March.',
      tags: ['Trees and shade', 'Playground', 'Paths', 'Events', 'Something else'],
      languages: ['en', 'de', 'ar'],
    },
  },
  de: {
    organisation: 'Stadt Rheinfelden',
    said: 'Am Fluss ist es schön, aber im Schatten gibt es kaum Bänke. Meine Mutter ist achtzig und geht dort jeden Tag spazieren. Und bitte lassen Sie den alten Musikpavillon stehen: Dort haben wir früher getanzt.',
    fields: {
      title: 'Wie soll unser Bürgerpark am Rheinufer werden?',
      description:
        'Der Park wird im nächsten Jahr umgestaltet. Erzählen Sie uns, was Ihnen gefällt, was fehlt und was bleiben muss.\n\nDrei Minuten genügen. Gern auch länger.',
      consent_text:
        'Ich bin einverstanden, dass die Stadt Rheinfelden meine Worte aufnimmt, in Text umwandelt und ohne meinen Namen für die Grünflächenentwicklungsplanung verwendet.\n\nDie Aufnahme wird nach 90 Tagen gelöscht. Ich kann sie jederzeit zurückziehen.',
      finish_text: 'Ihre Worte gehen direkt an das Planungsteam. Die Ergebnisse veröffentlichen wir im März.',
      tags: [
        'Bäume und Schatten',
        'Kinderspielplatz',
        'Fahrradabstellanlagen',
        'Veranstaltungen',
        'Etwas anderes',
      ],
      languages: ['de', 'en', 'ar'],
    },
  },
  ar: {
    organisation: 'بلدية النهر',
    said: 'الحديقة قرب النهر جميلة، لكن المقاعد في الظل قليلة جدًا. أمي في الثمانين وتمشي هناك كل يوم. وأرجو أن تحافظوا على المنصة القديمة، فقد كنا نحتفل عندها.',
    fields: {
      title: 'كيف تريدون أن تكون حديقتنا؟',
      description:
        'سيُعاد تصميم الحديقة في العام القادم. أخبرونا بما يعجبكم فيها، وبما ينقصها، وبما يجب أن يبقى.\n\nثلاث دقائق تكفي، ويسعدنا أن تتحدثوا أكثر.',
      consent_text:
        'أوافق على أن تسجّل بلدية النهر ما أقوله وتحوّله إلى نص وتستخدمه، دون ذكر اسمي، في تخطيط الحديقة.\n\nيُحتفظ بالتسجيل 90 يومًا ثم يُحذف. ويمكنني سحبه في أي وقت.',
      finish_text: 'تصل كلماتكم مباشرة إلى من يخططون للحديقة. ننشر النتائج في شهر مارس.',
      tags: ['الأشجار والظل', 'ملعب الأطفال', 'الممرات', 'الفعاليات', 'شيء آخر'],
      languages: ['ar', 'en', 'de'],
    },
  },
}

const ASKS_EVERYTHING = {
  ask_name: true,
  ask_email: true,
  privacy_url: 'https://example.org/privacy',
  accent_color: '#0b5cad',
}

export const fieldsOf = (language: GalleryLanguage): object => ({
  ...PROJECTS[language].fields,
  ...ASKS_EVERYTHING,
  language,
})

/** A mark and a name, as a host would upload them. */
export const logoOf = (language: GalleryLanguage): string => `
  <body style="margin:0"><div style="display:inline-flex;align-items:center;gap:14px;padding:4px;height:88px;
    font:600 34px system-ui;color:#0b5cad;direction:${language === 'ar' ? 'rtl' : 'ltr'}">
  <svg width="80" height="80" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#0b5cad"/>
  <path d="M6 27c5-5 9-5 14 0s9 5 14 0M6 19c5-5 9-5 14 0s9 5 14 0" fill="none" stroke="#fff" stroke-width="3"/>
  </svg><span>${PROJECTS[language].organisation}</span></div></body>`
