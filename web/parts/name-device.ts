// Names a browser and its system from the user agent.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
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

/** What libraries and tools of developers call themselves: nobody knows a session by these names. */
const tools =
  /^(node|undici|axios|got|ky|superagent|deno|bun|python|aiohttp|httpx|go-http-client|java|okhttp|dart|ruby|faraday|php|guzzle\w*|curl|wget|postman\w*|insomnia|reqwest|hyper|libwww-perl|dalvik|cfnetwork)(?=[\s/-]|$)/i;

/** Returns undefined if nothing is known. An app that is not a browser is shown by its own name, or as a `program` if that is the name of a tool. */
export function nameDevice(userAgent: string | null | undefined, program?: string): string | undefined {
  if (userAgent === null || userAgent === undefined || userAgent === '') return undefined;
  const names = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1]);
  const known = names.filter((name) => name !== undefined);
  if (known.length > 0) return known.join(' · ');
  return (tools.test(userAgent) ? program : undefined) ?? userAgent.split(/[\s/]/)[0];
}
