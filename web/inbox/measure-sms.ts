// Counts the segments of an SMS: one holds 160 characters in GSM-7 or 70 in UCS-2, and fewer if the SMS has several.

const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
/** Each of these counts as two characters in GSM-7. */
const wide = /[\^{}\\[~\]|€]/g;

export function measureSms(text: string): { segments: number; characters: number; encoding: 'GSM-7' | 'UCS-2' } {
  const isGsm = gsm.test(text);
  const characters = text.length + (isGsm ? (text.match(wide)?.length ?? 0) : 0);
  const [single, multiple] = isGsm ? [160, 153] : [70, 67];
  const segments = characters <= single ? 1 : Math.ceil(characters / multiple);
  return { segments, characters, encoding: isGsm ? 'GSM-7' : 'UCS-2' };
}
