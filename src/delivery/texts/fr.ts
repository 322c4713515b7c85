// French: what messages to people say.
import type { MessageTexts } from './en.ts';

export const fr: MessageTexts = {
  smsOtp: 'Code {brand} : {code}. Valable {minutes} min.',
  loginLink: {
    subject: 'Connexion à {brand}',
    lead: 'Utilisez ce lien pour vous connecter à {brand}. Il fonctionne une seule fois, pendant {minutes, plural, one {# minute} other {# minutes}}.',
    button: 'Se connecter',
    note: 'Si vous n’avez rien demandé, ignorez ce message\u00a0: personne ne peut se connecter sans le lien.',
  },
  bindingOtp: {
    subject: '{code} est votre code {brand}',
    lead: 'Saisissez ce code pour ajouter cette adresse à votre compte {brand}. Il est valable {minutes, plural, one {# minute} other {# minutes}}.',
    note: 'Si vous n’avez rien demandé, ignorez ce message. Ne communiquez le code à personne.',
  },
  emailReplaced: {
    subject: 'Votre adresse e-mail {brand} a été modifiée',
    lead: 'Cette adresse n’est plus associée à votre compte {brand}\u00a0: une autre a été confirmée à sa place.',
    note: 'Si ce n’était pas vous, connectez-vous par téléphone, fermez vos autres sessions et associez de nouveau votre adresse.',
  },
};
