export const problems = {
  title: 'Dat is niet gelukt',
  unreachable: 'De server reageert niet. Controleer je verbinding; wat je hebt getypt, blijft staan.',
  unexpected:
    'Er ging iets mis op deze pagina. Laad de pagina opnieuw. Gebeurt het weer, geef dit dan door aan je beheerder.',
  requestId: (id: string) => `Verzoek ${id}`,
  notFoundTitle: 'Deze pagina bestaat niet',
  notFound: 'Misschien is de link verouderd, of heb je geen toegang.',
  notAllowedTitle: 'Deze pagina hoort niet bij jouw rol',
  notAllowed: 'Heb je de pagina nodig? Vraag het een eigenaar of admin van de werkruimte.',
  home: 'Naar de startpagina',
  changedByOthers:
    'Iemand anders heeft dit intussen gewijzigd. Je tekst blijft bewaard; bekijk de nieuwe versie en sla opnieuw op.',
}
