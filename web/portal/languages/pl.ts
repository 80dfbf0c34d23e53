import type { Texts } from './texts.ts'

export const pl: Texts = {
  language: 'Polski',
  changeLanguage: 'Język',
  back: 'Wstecz',
  next: 'Dalej',
  cancel: 'Anuluj',
  tryAgain: 'Spróbuj ponownie',
  optional: 'nieobowiązkowe',
  required: 'Proszę wypełnić to pole.',

  welcomeFrom: 'Pytanie zadaje: {organisation}',
  welcomeStart: 'Zaczynamy',
  welcomeHow: 'Jak to działa',
  welcomeStepSpeak: 'Mówisz tak długo, jak chcesz. W każdej chwili możesz zrobić przerwę. Możesz też pisać.',
  welcomeStepText: 'Zamieniamy Twoje słowa na tekst. Czyta go {organisation}.',
  welcomeStepWithdraw: 'Później możesz wszystko wycofać. Link do tego dostaniesz na końcu.',
  privacy: 'Polityka prywatności',
  welcomeNoAccount: 'Nie potrzebujesz konta.',

  consentTitle: 'Czy wyrażasz zgodę?',
  consentTick: 'Tak, wyrażam zgodę.',
  consentNeeded: 'Jeśli się zgadzasz, zaznacz pole. Bez Twojej zgody nie można wziąć udziału.',
  consentRead: 'Przeczytaj tekst',

  aboutTitle: 'Kilka słów o Tobie',
  aboutName: 'Jak się nazywasz?',
  aboutEmail: 'Adres e-mail',
  aboutEmailInvalid: 'To nie wygląda na adres e-mail.',
  aboutTags: 'Czego to dotyczy?',
  aboutSpokenLanguage: 'W jakim języku będziesz mówić lub pisać?',
  aboutAnyLanguage: 'Dowolny język',

  microphoneTitle: 'Sprawdź mikrofon',
  microphoneAsk: 'Przeglądarka zapyta, czy ta strona może używać mikrofonu. Proszę na to zezwolić.',
  microphoneAllow: 'Włącz mikrofon',
  microphoneSpeak: 'Powiedz coś. Pasek powinien się poruszać.',
  microphoneWorks: 'Mikrofon odbiera Twój głos.',
  microphoneQuiet: 'Jest bardzo cicho. Podejdź bliżej albo wybierz inny mikrofon.',
  microphoneLevel: 'Głośność',
  microphoneDevice: 'Mikrofon',
  microphoneTest: 'Nagraj 3 sekundy i posłuchaj',
  microphoneTesting: 'Mów teraz…',
  microphonePlaying: 'Tak brzmi nagranie…',
  microphoneStart: 'Zacznij nagrywać',
  typeInstead: 'Wolę napisać',

  recordingTitle: 'Nagrywanie',
  recordingSpeak: 'Nagrywanie trwa. Nie spiesz się.',
  recordingPaused: 'Nagrywanie wstrzymane',
  recordingStarting: 'Zaraz zaczynamy…',
  recordingTime: 'Czas nagrania',
  recordingPause: 'Pauza',
  recordingResume: 'Wznów',
  recordingDone: 'Gotowe',
  recordingLiveText: 'Dotychczasowa wypowiedź',
  recordingLiveTextLater: 'Twoje słowa pojawią się tutaj po kilku sekundach.',
  recordingMuted:
    'Telefon wyłączył mikrofon, być może z powodu rozmowy. Nagrywanie ruszy dalej, gdy mikrofon znów będzie działać.',
  recordingMicrophoneLost: 'Mikrofon został odłączony. Szukamy innego…',
  recordingGap: 'Gdy strona była w tle, przeglądarka przerwała nagrywanie. Nie nagrano: {time}.',
  recordingKeepOpen: 'Gdy mówisz, zostań na tej stronie.',

  stateSaved: 'Zapisano na tym urządzeniu: {time}',
  stateSavedInMemory: 'Przechowywane na otwartej stronie: {time}',
  stateSent: 'Wysłano: {time}',
  stateAllReceived: 'Wszystko do tej pory dotarło',
  stateOffline: 'Brak połączenia. Nagranie jest zapisane tutaj i zostanie wysłane, gdy połączenie wróci.',
  stateOfflineInMemory:
    'Brak połączenia. Nie zamykaj tej strony: przeglądarka nie pozwala jej zapisać nagrania.',
  stateMemoryOnly:
    'Przeglądarka nie pozwala tej stronie niczego zapisać (tryb prywatny). Nie zamykaj strony, dopóki wszystko nie dotrze.',
  stateDiskFull:
    'Pamięć tego urządzenia jest pełna. Nagrywanie trwa, a nagranie jest od razu wysyłane. Nie zamykaj strony.',
  stateNotAccepted:
    'Dotąd nieprzyjęte przez serwer: {time}. Ten fragment jest przechowywany tutaj i na końcu zostanie wysłany ponownie.',
  lost: 'Część nagrania ({time}) przepadła. Została usunięta z tego urządzenia przed wysłaniem, być może razem z danymi przeglądarki.',
  lostHelp: 'To, co mówisz od teraz, jest znów zapisywane. Możesz powtórzyć tę część.',
  keptOnDevice:
    'Nagranie jest bezpieczne na tym urządzeniu, nawet jeśli zamkniesz stronę. Aby wysłać je później, otwórz link jeszcze raz.',
  keptWhileClosed:
    'Nagranie zostaje na tym urządzeniu, nawet jeśli zamkniesz stronę. Jeśli organizacja wznowi projekt, otwórz link jeszcze raz, aby wysłać nagranie.',
  keptInPage: 'Nagranie jest tylko na tej stronie. Proszę jej nie zamykać.',
  keptTextOnDevice:
    'Tekst jest bezpieczny na tym urządzeniu, nawet jeśli zamkniesz stronę. Aby wysłać go później, otwórz link jeszcze raz.',
  keptTextWhileClosed:
    'Tekst zostaje na tym urządzeniu, nawet jeśli zamkniesz stronę. Jeśli organizacja wznowi projekt, otwórz link jeszcze raz, aby wysłać tekst.',
  keptTextInPage: 'Tekst jest tylko na tej stronie. Proszę jej nie zamykać.',
  keptRest:
    'Reszta jest bezpieczna na tym urządzeniu, nawet jeśli zamkniesz stronę. Aby wysłać ją później, otwórz link jeszcze raz.',

  textTitle: 'Napisz, co chcesz powiedzieć',
  textLabel: 'Twój tekst',
  textSend: 'Wyślij',

  reviewTitle: 'Czy to chcesz powiedzieć?',
  reviewExplain:
    'Twoje słowa są wysyłane już w trakcie mówienia. Tutaj możesz ich posłuchać, coś dodać albo wszystko usunąć.',
  reviewListen: 'Posłuchaj nagrania',
  reviewText: 'Twój tekst',
  reviewEditText: 'Zmień tekst',
  play: 'Posłuchaj',
  playPosition: 'Miejsce w nagraniu',
  reviewSend: 'Wyślij i zakończ',
  reviewAdd: 'Dodaj coś',
  reviewAgain: 'Zacznij od nowa',
  reviewRemove: 'Usuń',
  reviewRemoveTitle: 'Usunąć to nagranie?',
  reviewRemoveText: 'Cała Twoja wypowiedź zostanie usunięta, tutaj i na serwerze. Tego nie można cofnąć.',
  reviewRemoveConfirm: 'Tak, usuń',
  reviewAgainTitle: 'Zacząć od nowa?',
  reviewAgainText:
    'Dotychczasowe nagranie zostanie usunięte, tutaj i na serwerze. Potem możesz nagrać wszystko jeszcze raz.',
  reviewAgainConfirm: 'Usuń i nagraj od nowa',
  removed: 'Usunięto nagranie. Nic z niego nie zostało.',

  sendingTitle: 'Wysyłanie nagrania',
  sendingTextTitle: 'Wysyłanie tekstu',
  sendingProgress: 'Odebrane części: {sent} z {all}',
  sendingKeepOpen: 'Proszę nie zamykać tej strony, dopóki wszystko nie dotrze.',

  thanksTitle: 'Dziękujemy!',
  thanksReceived: 'Cała Twoja wypowiedź do nas dotarła.',
  thanksTextReceived: 'Twój tekst do nas dotarł.',
  thanksExcept: 'Twoje nagranie dotarło, z wyjątkiem jednego fragmentu ({time}).',
  thanksCode: 'Twój kod',
  thanksCodeWhy: 'Podaj ten kod, jeśli masz pytanie dotyczące nagrania.',
  thanksTextCodeWhy: 'Podaj ten kod, jeśli masz pytanie dotyczące swojego tekstu.',
  thanksWithdraw: 'A jeśli zmienisz zdanie?',
  thanksWithdrawWhy:
    'Dzięki temu linkowi możesz w każdej chwili usunąć swoje nagranie. Zachowaj go: pojawia się tylko tutaj.',
  thanksTextWithdrawWhy:
    'Dzięki temu linkowi możesz w każdej chwili usunąć swój tekst. Zachowaj link: pojawia się tylko tutaj.',
  thanksScan: 'Zeskanuj ten kod telefonem. Link zostanie w Twoim telefonie, nie tutaj.',
  thanksCopy: 'Kopiuj link',
  thanksCopied: 'Skopiowano',
  thanksShare: 'Udostępnij lub wyślij sobie',
  thanksMail: 'Wyślij e-mailem',
  thanksMailSubject: 'Link do wycofania mojego nagrania',
  thanksTextMailSubject: 'Link do wycofania mojego tekstu',
  thanksAnother: 'Weź udział jeszcze raz',
  kioskNext: 'Strona będzie gotowa dla następnej osoby za {seconds}\u00a0s.',
  kioskNow: 'Następna osoba',
  kioskKept: 'Wszystko jest zapisane na tym urządzeniu.',
  kioskKeptNext:
    'W tej chwili nie ma połączenia. Twoje słowa zostaną wysłane, gdy połączenie wróci, a potem usunięte z tego urządzenia.',
  kioskRefused:
    'Nic nie przepadnie: wszystko zostaje na tym urządzeniu. Powiedz o tym osobie, która się nim opiekuje.',
  kioskWaiting: 'Wcześniejsze nagrania i teksty, które czekają na połączenie: {count}',
  kioskNotAccepted:
    'Wcześniejsze nagrania i teksty, których serwer nie przyjął i które pozostają na tym urządzeniu: {count}',
  kioskLost: 'Wcześniejsze nagrania, których część usunięto z tego urządzenia przed wysłaniem: {count}',
  kioskTell: 'Proszę powiedzieć o tym osobie, która opiekuje się tym urządzeniem.',

  resumeTitle: 'Jest niewysłane nagranie',
  resumeTextTitle: 'Jest niewysłany tekst',
  resumeText: 'Na tym urządzeniu jest jeszcze nagranie z dnia {date}. Długość: {time}.',
  resumeTextOnly: 'Na tym urządzeniu jest jeszcze tekst z dnia {date}.',
  resumeContinue: 'Nagrywaj dalej',
  resumeSend: 'Wyślij tak, jak jest',
  resumeDelete: 'Usuń nagranie',
  resumePartTitle: 'Część nagrania do nas nie dotarła',
  resumePartDelete:
    'Nagranie zostanie usunięte tylko z tego urządzenia. To, co dotarło, pozostaje w organizacji.',
  resumeDraftTitle: 'Zaczęto pisać tekst',
  resumeWrite: 'Pisz dalej',
  resumeDraftDelete: 'Usunąć ten tekst?',
  removeHere: 'Wszystko zostanie usunięte z tego urządzenia. Tego nie można cofnąć.',

  withdrawTitle: 'Wycofanie Twojej wypowiedzi',
  withdrawText:
    'Usuniemy całą Twoją wypowiedź, mówioną i pisaną: dźwięk, zapis tekstowy, streszczenie i cytaty w raportach. Tego nie można cofnąć.',
  withdrawButton: 'Wycofaj teraz',
  withdrawnTitle: 'Wycofano',
  withdrawDone: 'Właśnie usuwamy całą Twoją wypowiedź, mówioną i pisaną.',
  withdrawInvalid: 'Ten link jest nieprawidłowy albo wypowiedź została już wycofana.',
  withdrawInvalidHelp:
    'Jeśli masz jeszcze pytanie, skontaktuj się z organizacją i podaj kod z potwierdzenia.',

  errorBlocked: 'Mikrofon jest zablokowany',
  errorBlockedHelp:
    'Ta strona nie może używać mikrofonu. Otwórz ustawienia strony (symbol obok adresu), zezwól na mikrofon i spróbuj ponownie.',
  errorNoMicrophone: 'Nie znaleziono mikrofonu',
  errorNoMicrophoneHelp:
    'Podłącz mikrofon lub słuchawki z mikrofonem i spróbuj ponownie albo napisz, co chcesz powiedzieć.',
  errorInUse: 'Mikrofon jest zajęty',
  errorInUseHelp:
    'Mikrofonu używa inna aplikacja, być może trwa rozmowa. Zamknij tę aplikację i spróbuj ponownie.',
  errorNotSecure: 'Ta strona nie może używać mikrofonu',
  errorNotSecureHelp:
    'Przeglądarki pozwalają na mikrofon tylko na bezpiecznych stronach. Otwórz link zaczynający się od https:// albo powiedz o tym osobie, od której go masz.',
  errorNoRecorder: 'W tej przeglądarce nie można nagrywać',
  errorNoRecorderHelp:
    'Użyj nowszej wersji Chrome, Edge, Firefox lub Safari albo napisz, co chcesz powiedzieć.',
  errorWrongLink: 'Ten link nie działa',
  errorWrongLinkHelp: 'Sprawdź, czy adres jest pełny, albo zapytaj osobę, od której go masz.',
  errorClosed: 'Ten projekt jest zakończony',
  errorClosedHelp:
    'Nie można już wziąć udziału. Jeśli chcesz jeszcze coś powiedzieć, skontaktuj się z organizacją.',
  errorClosedUnsent:
    'Projekt zakończył się, zanim udało się wysłać nagranie. Możesz zapisać je jako plik i przekazać organizacji.',
  errorClosedTextUnsent:
    'Projekt zakończył się, zanim udało się wysłać tekst. Możesz zapisać go jako plik i przekazać organizacji.',
  errorProjectDeleted: 'Ten projekt już nie istnieje',
  errorProjectDeletedHelp:
    'Usunięto go, zanim wszystko zostało wysłane. To, co jest tutaj, możesz zapisać jako plik i przekazać organizacji.',
  errorLimit: 'Nie można zapisać niczego więcej',
  errorLimitHelp: 'Ten projekt osiągnął swój limit. Proszę powiadomić organizację i spróbować później.',
  errorWithdrawn: 'To nagranie zostało wycofane',
  errorWithdrawnHelp:
    'Usunięto je z serwera. To, co jest jeszcze tutaj, możesz usunąć albo zapisać jako plik.',
  errorWithdrawnText: 'Ten tekst został wycofany',
  errorWithdrawnTextHelp:
    'Usunięto go z serwera. To, co jest jeszcze tutaj, możesz usunąć albo zapisać jako plik.',
  errorServer: 'Serwer nie odpowiada',
  errorServerHelp: 'Strona sama próbuje dalej.',
  errorNotErased: 'Niczego jeszcze nie usunięto',
  errorNotErasedHelp:
    'Nie udało się połączyć z serwerem. Sprawdź połączenie z internetem i spróbuj ponownie.',
  errorOffline: 'Brak połączenia',
  errorOfflineHelp: 'Sprawdź połączenie z internetem. Strona sama spróbuje ponownie.',
  errorRefused: 'Serwer tego nie przyjął',
  errorRefusedHelp: 'Możesz spróbować ponownie albo zapisać nagranie jako plik i przekazać je organizacji.',
  errorRefusedTextHelp: 'Możesz spróbować ponownie albo zapisać tekst jako plik i przekazać go organizacji.',
  errorConsentChanged: 'Zmieniła się treść zgody',
  errorConsentChangedHelp: 'Proszę przeczytać nową treść. Jeśli się zgadzasz, nagranie zostanie wysłane.',
  errorConsentChangedTextHelp:
    'Proszę przeczytać nową treść. Jeśli się zgadzasz, Twój tekst zostanie wysłany.',
  saveFile: 'Zapisz nagranie jako plik',
  saveTextFile: 'Zapisz tekst jako plik',
}
