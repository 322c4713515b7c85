// The types of phone numbers that the setting PHONE_TYPES can allow.

/** `satellite` includes every network that does not belong to a country. */
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

/** The types that ordinary users have. Messages to the other types cost far more, and fraudsters earn money with them. */
export const ordinaryTypes: readonly PhoneType[] = ['mobile', 'fixed-or-mobile', 'fixed', 'voip'];
