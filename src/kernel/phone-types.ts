// The kinds of phone numbers that can be served, as the setting PHONE_TYPES names them.

/** What a number can be; satellite stands for every network that belongs to no country. */
export const phoneTypes = [
  'mobile',
  'fixed-or-mobile',
  'fixed',
  'voip',
  'satellite',
  'personal',
  'pager',
  'voicemail',
  'uan',
  'unknown',
] as const;

export type PhoneType = (typeof phoneTypes)[number];

/** What ordinary people have. The rest costs a multiple, and is what those ask codes for who earn on messages. */
export const ordinaryTypes: readonly PhoneType[] = ['mobile', 'fixed-or-mobile', 'fixed', 'voip'];
