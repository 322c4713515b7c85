// English: what messages to people say. The other languages have the same keys.

/**
 * Placeholders in braces, ICU MessageFormat. An SMS must fit one segment together with its last line `@host #code`, which is
 * added by code and never translated: 160 characters where the text is GSM-7, 70 where it is not.
 */
export type MessageTexts = {
  readonly smsOtp: string;
  readonly loginLink: MailTexts & { readonly button: string };
  readonly bindingOtp: MailTexts;
  readonly emailReplaced: MailTexts;
};

export type MailTexts = {
  readonly subject: string;
  readonly lead: string;
  readonly note: string;
};

export const en: MessageTexts = {
  smsOtp: '{brand} code: {code}. Valid {minutes} min.',
  loginLink: {
    subject: 'Sign in to {brand}',
    lead: 'Use this link to sign in to {brand}. It works once, within {minutes, plural, one {# minute} other {# minutes}}.',
    button: 'Sign in',
    note: 'If you did not ask for this, ignore this message: nobody gets in without the link.',
  },
  bindingOtp: {
    subject: '{code} is your {brand} code',
    lead: 'Enter this code to add this address to your {brand} account. It is valid for {minutes, plural, one {# minute} other {# minutes}}.',
    note: 'If you did not ask for this, ignore this message. Tell nobody the code.',
  },
  emailReplaced: {
    subject: 'Your {brand} e-mail address was changed',
    lead: 'This address no longer belongs to your {brand} account: another one was confirmed in its place.',
    note: 'If this was not you, sign in by phone, end your other sessions and bind your address again.',
  },
};
