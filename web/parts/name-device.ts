// A short name for a browser and its system, out of what it calls itself.

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

/** Undefined where nothing is known; an app's own name where it is no browser. */
export function nameDevice(userAgent: string | null | undefined): string | undefined {
  if (userAgent === null || userAgent === undefined || userAgent === '') return undefined;
  const names = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1]);
  const known = names.filter((name) => name !== undefined);
  return known.length > 0 ? known.join(' · ') : userAgent.split(/[\s/]/)[0];
}
