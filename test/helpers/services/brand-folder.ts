// A folder with the file of a brand and its logos, for tests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const draw = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><rect width="120" height="32" rx="8" fill="${fill}"/></svg>`;

export const lightLogo = draw('#0f766e');
export const darkLogo = draw('#79d0c6');

export const northwind = {
  name: 'Northwind',
  logo: { light: 'logo.svg', dark: 'logo-dark.svg' },
  accent: '#0f766e',
  links: { terms: 'https://northwind.example/terms', support: 'help@northwind.example' },
  texts: { en: { sms: { code: '{code} is your Northwind code. It works for {minutes} minutes.' } } },
} as const;

export function createBrandFolder(brand: unknown = northwind) {
  const folder = mkdtempSync(join(tmpdir(), 'brand-'));
  const file = join(folder, 'brand.json');
  const write = (content: unknown) =>
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  writeFileSync(join(folder, 'logo.svg'), lightLogo);
  writeFileSync(join(folder, 'logo-dark.svg'), darkLogo);
  write(brand);
  return { file, write, remove: () => rmSync(folder, { recursive: true }) };
}
