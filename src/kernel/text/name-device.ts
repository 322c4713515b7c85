// Names a browser and its system from the user agent, for messages. The pages do the same in web/parts/name-device.ts.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Undefined if nothing is known. The client chooses the text, so an app is shown only by a plain word, never by a link. */
export function nameDevice(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const names = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1]);
  const known = names.filter((name) => name !== undefined);
  return known.length > 0 ? known.join(' · ') : /^[A-Za-z][\w-]{0,30}(?=[\s/]|$)/.exec(userAgent)?.[0];
}
