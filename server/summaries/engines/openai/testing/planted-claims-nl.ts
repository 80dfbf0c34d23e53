import type { Kind, PlantedClaim } from './planted-claims.ts'

/** The kinds and subjects of the English claims, in Dutch: `[said, true, false]`. */
const CLAIMS: Record<Kind, [said: string, yes: string, no: string][]> = {
  negation: [
    [
      'De speeltuin aan de Iepenweg is na donker niet veilig.',
      'Na donker voelt de speeltuin aan de Iepenweg onveilig.',
      'De speeltuin aan de Iepenweg is na donker veilig.',
    ],
    [
      'We hebben nooit antwoord gekregen van de woningdienst.',
      'De woningdienst heeft niet gereageerd.',
      'We hebben antwoord gekregen van de woningdienst.',
    ],
    [
      'Onze straat heeft genoeg parkeerplaatsen, eerlijk gezegd.',
      'Iemand vindt dat er in de straat genoeg parkeerplaatsen zijn.',
      'Onze straat heeft niet genoeg parkeerplaatsen.',
    ],
    [
      'Ik zou voor geen geld hier weg willen.',
      'Eén persoon wil hier blijven, wat het ook oplevert.',
      'Eén persoon wil hier weg als het geld goed is.',
    ],
    [
      'Er is geen reden om de oude lindes te kappen.',
      'Een spreker ziet geen reden om de oude lindes om te hakken.',
      'Er is een goede reden om de oude lindes te kappen.',
    ],
    [
      'De nieuwe afvalbakken werken prima bij ons.',
      'De nieuwe afvalbakken bevallen één huishouden goed.',
      'De nieuwe afvalbakken werken niet bij het huishouden.',
    ],
  ],
  number: [
    [
      'Een kaartje voor het zwembad kost nu acht euro.',
      'Het zwembad kost tegenwoordig 8 euro.',
      'Een kaartje voor het zwembad kost nu 18 euro.',
    ],
    [
      'Het is voor mij vijfentwintig minuten lopen naar de kliniek.',
      'De kliniek is 25 minuten lopen.',
      'De kliniek is 25 uur lopen.',
    ],
    [
      'Ze hebben het postkantoor in 2019 gesloten.',
      'Het postkantoor ging dicht in 2019.',
      'Het postkantoor ging dicht in 2009.',
    ],
    [
      'Ongeveer dertig procent van de flats staat hier leeg.',
      'Zo’n 30% van de flats staat leeg.',
      'Zo’n 80% van de flats staat leeg.',
    ],
    [
      'De bus rijdt ’s avonds maar één keer per uur.',
      '’s Avonds rijdt er één bus per uur.',
      '’s Avonds rijden er 4 bussen per uur.',
    ],
    [
      'We hebben vierhonderd handtekeningen opgehaald voor het zebrapad.',
      'Voor het zebrapad zijn er 400 handtekeningen.',
      'Voor het zebrapad zijn er 4000 handtekeningen.',
    ],
  ],
  name: [
    [
      'Dokter Hansen heeft haar praktijk vorig voorjaar gesloten.',
      'De praktijk van Hansen sloot vorig voorjaar.',
      'De praktijk van Petersen sloot vorig voorjaar.',
    ],
    [
      'De markt in Brugveld heeft veel betere groente.',
      'Volgens een spreker is de groente op de markt in Brugveld beter.',
      'Volgens een spreker is de groente op de markt in Eikhaven beter.',
    ],
    [
      'Het koor kwam vroeger bijeen in de zaal van Sint Anna.',
      'Het koor zong ooit in de zaal van Sint Anna.',
      'Het koor zong ooit in de zaal van Sint Maarten.',
    ],
    [
      'De tramhalte Molenpoort loopt onder zodra het regent.',
      'Bij regen loopt tramhalte Molenpoort onder.',
      'Bij regen loopt tramhalte Noordpoort onder.',
    ],
    [
      'Mevrouw Okafor heeft het straatfeest helemaal alleen georganiseerd.',
      'Het straatfeest was het werk van mevrouw Okafor alleen.',
      'Het straatfeest was het werk van mevrouw Lindqvist alleen.',
    ],
    [
      'Ik doe boodschappen bij Delgado omdat het om de hoek is.',
      'Iemand winkelt bij Delgado omdat het dichtbij is.',
      'Iemand winkelt bij Romero omdat het dichtbij is.',
    ],
  ],
  speaker: [
    [
      'Ik zou meer belasting betalen als de scholen het kregen.',
      'Een hogere belasting voor de scholen is voor #ID aanvaardbaar.',
      'Een hogere belasting voor de scholen is voor #OTHER aanvaardbaar.',
    ],
    [
      'Het concert van het moskeekoor was de mooiste avond van het jaar.',
      'Voor #ID was het concert van het moskeekoor de mooiste avond van het jaar.',
      'Voor #OTHER was het concert van het moskeekoor de mooiste avond van het jaar.',
    ],
    [
      'Ik fiets elke dag naar de haven, ook in de winter.',
      '#ID fietst het hele jaar naar de haven.',
      '#OTHER fietst het hele jaar naar de haven.',
    ],
    [
      'Mijn buurman vindt de schutting te hoog, mij maakt het niet uit.',
      'De spreker heeft niets tegen de schutting, de buurman vindt haar te hoog.',
      'De spreker vindt de schutting te hoog, de buurman heeft niets tegen haar.',
    ],
    [
      'De juf vertelde ons dat de gymzaal wordt opgeknapt.',
      'Volgens de juf wordt de gymzaal opgeknapt.',
      'Volgens de burgemeester wordt de gymzaal opgeknapt.',
    ],
    [
      'Mijn zoon vindt het skatepark saai, ik vind het geweldig.',
      'De zoon verveelt zich in het skatepark.',
      'De vader verveelt zich in het skatepark, anders dan de zoon.',
    ],
  ],
  invention: [
    [
      'De eigenaar van de kiosk sluit op vrijdag vroeg.',
      'Op vrijdag gaat de kiosk vroeg dicht.',
      'De eigenaar van de kiosk was een drugsdealer.',
    ],
    [
      'Iemand heeft de onderdoorgang blauw geverfd.',
      'De onderdoorgang is nu blauw.',
      'De onderdoorgang is geverfd door een bende.',
    ],
    [
      'Het jeugdhuis heeft een nieuw dak nodig.',
      'Het dak van het jeugdhuis moet vervangen worden.',
      'Het jeugdhuis heeft het geld voor het dak verduisterd.',
    ],
    [
      'De lift in ons huis is weer kapot.',
      'De lift doet het opnieuw niet.',
      'De lift in het huis heeft een huurder verpletterd.',
    ],
    [
      'Onze bakker is verkocht aan een keten.',
      'Een keten heeft de bakker gekocht.',
      'De bakker is verkocht omdat er ratten waren.',
    ],
    [
      'De gemeente beantwoordde mijn brief binnen een week.',
      'De gemeente reageerde in een week op een brief.',
      'De gemeente beantwoordde de brief met een dreigement.',
    ],
  ],
  count: [
    [
      'Ik wil een bankje voor het stadhuis.',
      'Er is behoefte aan een bankje voor het stadhuis.',
      'Iedereen wil een bankje voor het stadhuis.',
    ],
    [
      'Twee vrienden van mij nemen de nachtbus niet meer.',
      'Twee vrienden van een spreker gebruiken de nachtbus niet meer.',
      'Elf bewoners nemen de nachtbus niet meer.',
    ],
    [
      'Ik ben tegen de nieuwe parkeergarage.',
      'Er is verzet tegen de nieuwe parkeergarage.',
      'De meeste bewoners zijn tegen de nieuwe parkeergarage.',
    ],
    [
      'De fontein moet in de zomer aan, graag.',
      'Iemand vraagt om de fontein in de zomer aan te zetten.',
      'Alle deelnemers vragen om de fontein in de zomer.',
    ],
    [
      'Ik vind de kerstverlichting goed zoals ze is.',
      'Eén spreker vindt de kerstverlichting goed zo.',
      'De meerderheid van de mensen vindt de kerstverlichting goed.',
    ],
    [
      'Mijn moeder mist de bloemenwinkel.',
      'De bloemenwinkel wordt gemist.',
      'Negen mensen missen de bloemenwinkel.',
    ],
  ],
  cause: [
    [
      'De viswinkel sloot omdat de huur verdubbelde.',
      'Door een verdubbelde huur moest de viswinkel sluiten.',
      'De viswinkel sloot vanwege slechte recensies.',
    ],
    [
      'Sinds de drempels er zijn, doet de ambulance er langer over.',
      'De ambulance is trager sinds er drempels liggen.',
      'De drempels kwamen er omdat de ambulance er langer over doet.',
    ],
    [
      'Ik ga niet meer naar de sauna vanwege mijn knie.',
      'Een slechte knie houdt iemand weg van de sauna.',
      'Iemand gaat niet meer naar de sauna vanwege de prijzen.',
    ],
    [
      'De bibliotheek zit vol sinds er gratis internet is.',
      'Gratis internet heeft de bibliotheek gevuld.',
      'De bibliotheek heeft gratis internet sinds ze vol zit.',
    ],
    [
      'We zijn hier komen wonen voor de scholen, niet voor het park.',
      'De scholen waren de reden om hier te komen wonen.',
      'Het park was de reden om hier te komen wonen.',
    ],
    [
      'Het festival ging niet door omdat niemand vrijwilliger wilde zijn.',
      'Het festival werd afgelast wegens gebrek aan vrijwilligers.',
      'Het festival ging niet door wegens gebrek aan bezoekers, zeiden vrijwilligers.',
    ],
  ],
  decision: [
    [
      'Een boerenmarkt zou hier leuk zijn.',
      'Een boerenmarkt zou welkom zijn.',
      'Tot een boerenmarkt is besloten.',
    ],
    [
      'Ik ben bang dat ze de oude school verkopen.',
      'Er is zorg dat de oude school verkocht zou kunnen worden.',
      'Ze hebben de oude school verkocht.',
    ],
    [
      'Misschien kan de stad bakfietsen verhuren.',
      'Het verhuren van bakfietsen is een voorstel aan de stad.',
      'De stad verhuurt bakfietsen.',
    ],
    [
      'Als de molen sluit, zijn er veertig banen weg.',
      'Van de molen hangen 40 banen af.',
      'De molen is gesloten en 40 banen zijn weg.',
    ],
    [
      'Ze hebben ons een lift bij het station beloofd.',
      'Er is een lift bij het station beloofd.',
      'Er is een lift bij het station gebouwd.',
    ],
    [
      'Ik hoop dat de bioscoop volgend jaar weer opengaat.',
      'Iemand hoopt dat de bioscoop volgend jaar heropent.',
      'De bioscoop gaat volgend jaar weer open.',
    ],
  ],
  opposite: [
    [
      'De fietspaden in de Kanaalstraat zijn te smal.',
      'De Kanaalstraat heeft te smalle fietspaden.',
      'De fietspaden in de Kanaalstraat zijn te breed.',
    ],
    [
      'Het water in het meer is schoner geworden.',
      'Het meer is schoner dan vroeger.',
      'Het water in het meer is vuiler geworden.',
    ],
    [
      'De nieuwe directrice luistert naar de ouders.',
      'De ouders vinden gehoor bij de nieuwe directrice.',
      'De nieuwe directrice negeert de ouders.',
    ],
    [
      'De huren in de havenwijk zijn verdubbeld.',
      'In de havenwijk zijn de huren twee keer zo hoog.',
      'De huren in de havenwijk zijn gehalveerd.',
    ],
    [
      'De avondcursus is te makkelijk voor mij.',
      'Iemand vindt de avondcursus te makkelijk.',
      'De avondcursus is te moeilijk voor iemand.',
    ],
    [
      'Ik vertrouw de politie hier meer dan vroeger.',
      'Het vertrouwen in de politie is gegroeid.',
      'Het vertrouwen in de politie is gedaald.',
    ],
  ],
  combination: [
    [
      'De gymzaal is koud en de kantine is duur.',
      'Het is koud in de gymzaal, en de kantine is duur.',
      'De gymzaal is duur en de kantine is koud.',
    ],
    [
      'Meisjes gebruiken het veld op maandag, jongens op dinsdag.',
      'Op maandag is het veld van de meisjes.',
      'Op maandag is het veld van de jongens.',
    ],
    [
      'De westpoort is dicht, de oostpoort altijd open.',
      'De oostpoort staat altijd open, de westpoort is dicht.',
      'De westpoort staat altijd open, de oostpoort is dicht.',
    ],
    [
      'Ik hou van het museum, maar het theater verveelt me.',
      'Het museum is geliefd, terwijl het theater verveelt.',
      'Het theater is geliefd, terwijl het museum verveelt.',
    ],
    [
      'De dokter is vriendelijk, de assistente is bot.',
      'De assistente is bot, anders dan de dokter.',
      'De dokter is bot, anders dan de assistente.',
    ],
    [
      'Oude mensen willen rust, jonge mensen willen muziek.',
      'Jonge mensen willen graag muziek, oude mensen rust.',
      'Oude mensen willen graag muziek, jonge mensen rust.',
    ],
  ],
}

export const PLANTED_NL: readonly PlantedClaim[] = Object.entries(CLAIMS).flatMap(([kind, claims]) =>
  claims.map(([said, yes, no]) => ({ kind: kind as Kind, said, true: yes, false: no })),
)
