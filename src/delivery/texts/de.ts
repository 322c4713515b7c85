// German: what messages to people say.
import type { MessageTexts } from './en.ts';

export const de: MessageTexts = {
  smsOtp: '{brand}-Code: {code}. Gilt {minutes} Min.',
  loginLink: {
    subject: 'Anmeldung bei {brand}',
    lead: 'Mit diesem Link melden Sie sich bei {brand} an. Er funktioniert einmal, innerhalb von {minutes, plural, one {# Minute} other {# Minuten}}.',
    button: 'Anmelden',
    note: 'Wenn Sie dies nicht angefordert haben, ignorieren Sie diese Nachricht: Ohne den Link kann sich niemand anmelden.',
  },
  bindingOtp: {
    subject: '{code} ist Ihr {brand}-Code',
    lead: 'Geben Sie diesen Code ein, um diese Adresse zu Ihrem {brand}-Konto hinzuzufügen. Er ist {minutes, plural, one {# Minute} other {# Minuten}} gültig.',
    note: 'Wenn Sie dies nicht angefordert haben, ignorieren Sie diese Nachricht. Geben Sie den Code an niemanden weiter.',
  },
  emailReplaced: {
    subject: 'Ihre E-Mail-Adresse bei {brand} wurde geändert',
    lead: 'Diese Adresse gehört nicht mehr zu Ihrem {brand}-Konto: An ihrer Stelle wurde eine andere bestätigt.',
    note: 'Wenn Sie das nicht waren, melden Sie sich per Telefon an, beenden Sie Ihre anderen Sitzungen und verknüpfen Sie Ihre Adresse erneut.',
  },
};
