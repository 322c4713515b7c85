// How many segments an SMS takes: 160 characters of the GSM alphabet fit one, 70 of any other, fewer when it is split.

const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
/** These take two places in the GSM alphabet. */
const wide = /[\^{}\\[~\]|€]/g;

export function measureSms(text: string): { segments: number; characters: number; encoding: 'GSM-7' | 'UCS-2' } {
  const isGsm = gsm.test(text);
  const characters = text.length + (isGsm ? (text.match(wide)?.length ?? 0) : 0);
  const [alone, split] = isGsm ? [160, 153] : [70, 67];
  const segments = characters <= alone ? 1 : Math.ceil(characters / split);
  return { segments, characters, encoding: isGsm ? 'GSM-7' : 'UCS-2' };
}
