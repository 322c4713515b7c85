// The languages Gatehouse speaks, and how an Accept-Language header chooses one of them.

export const languages = ['en', 'es', 'de', 'fr', 'pt', 'ru', 'tr', 'zh'] as const;

export type Language = (typeof languages)[number];

/** RFC 9110 section 12.5.4, by primary subtag; English when nothing fits. */
export function chooseLanguage(header: string | undefined): Language {
  if (header === undefined || header === '' || header.length > 1000) return 'en';
  let best: Language = 'en';
  let bestQuality = 0;
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';');
    const quality = readQuality(parameters);
    const primary = range.trim().toLowerCase().split('-', 1)[0];
    const language = primary === '*' ? 'en' : languages.find((known) => known === primary);
    if (language !== undefined && quality > bestQuality) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}

function readQuality(parameters: string[]): number {
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=');
    if (name?.trim() !== 'q') continue;
    const quality = Number(value?.trim());
    return quality >= 0 && quality <= 1 ? quality : 0;
  }
  return 1;
}
