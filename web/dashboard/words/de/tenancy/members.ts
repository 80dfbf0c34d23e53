export const members = {
  title: 'Mitglieder',
  invite: 'Einladen',
  inviteTitle: 'Jemanden einladen',
  email: 'E-Mail-Adresse',
  role: 'Rolle',
  send: 'Einladung erstellen',
  invited: (email: string) => `${email} ist eingeladen`,
  invitedHelp:
    'Parley verschickt keine E-Mails. Geben Sie deshalb selbst diese Adresse weiter. Nach dem Anmelden mit der eingeladenen E-Mail-Adresse steht die Einladung auf der Startseite.',
  done: 'Fertig',
  signInAddress: 'Adresse zum Anmelden',
  columns: { member: 'Mitglied', role: 'Rolle', since: 'Seit', actions: 'Aktionen' },
  you: 'Sie',
  nameless: 'Name nicht verfügbar',
  roleOf: (name: string) => `Rolle von ${name}`,
  actionsOf: (name: string) => `Aktionen für ${name}`,
  remove: 'Entfernen',
  leave: 'Verlassen',
  removeTitle: (name: string, from: string) => `${name} aus „${from}“ entfernen?`,
  removeHelp:
    'Das Mitglied verliert sofort den Zugang. Offene Einladungen, die es erstellt hat, werden widerrufen. Seine Arbeit bleibt erhalten.',
  leaveTitle: (from: string) => `„${from}“ verlassen?`,
  leaveHelp: 'Sie verlieren sofort den Zugang. Nur Inhaber und Admins können Sie wieder aufnehmen.',
  invitations: 'Offene Einladungen',
  expires: 'Läuft ab',
  withdraw: 'Widerrufen',
  withdrawOf: (email: string) => `Einladung für ${email} widerrufen`,
  toOrganisation: 'Die Organisation',
  explain: 'Was die Rollen dürfen',
  roles: {
    owner: 'Inhaber',
    admin: 'Admin',
    member: 'Mitglied',
    external: 'Extern',
    observer: 'Beobachter',
    billing: 'Abrechnung',
  },
  inWorkspace: {
    owner: 'Darf alles, auch den Arbeitsbereich löschen.',
    admin:
      'Darf alles außer den Arbeitsbereich löschen: Mitglieder, Webhooks und Exporte verwalten, Projekte und Berichte löschen.',
    member:
      'Erstellt Projekte, arbeitet mit Gesprächen und Berichten, veröffentlicht Berichte und sieht die Nutzung.',
    external:
      'Arbeitet in bestehenden Projekten: bearbeitet sie, korrigiert Transkripte, erstellt Berichte. Darf nichts löschen oder veröffentlichen.',
    observer: 'Liest Projekte, Gespräche und Berichte. Ändert nichts.',
    billing: 'Sieht nur die Nutzung, keine Projekte oder Gespräche.',
  },
  inOrganisation: {
    owner: 'Darf alles, auch die Organisation löschen.',
    admin:
      'Darf alles außer die Organisation löschen: Arbeitsbereiche, Mitglieder, Nutzung, Audit-Protokoll.',
    member: 'Gehört zur Organisation. Sieht nur die eigenen Arbeitsbereiche.',
    external: 'Wie ein Mitglied; kennzeichnet Personen von außen.',
    observer: 'Wie ein Mitglied; kennzeichnet Personen, die nur zuschauen.',
    billing: 'Sieht die Nutzung aller Arbeitsbereiche und sonst nichts darin.',
  },
  organisationNote:
    'Eine Rolle in der Organisation öffnet noch keinen Arbeitsbereich. Fügen Sie Personen den Arbeitsbereichen hinzu, in denen sie arbeiten.',
}
