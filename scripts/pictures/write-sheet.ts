// Writes the contact sheet: one page with all pictures, a row for each look.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, toText } from '../../src/kernel/text/html.ts';

const forms = ['light', 'dark', 'phone', 'phone-dark', 'narrow', 'rtl', 'phone-rtl'];

/** Returns the file. */
export function writeSheet(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const names = [...new Set(files.map((file) => file.replace(formOf, '')))];
  const rows = names.map((name) => {
    const shown = forms.map((form) => `${name}-${form}.png`).filter((file) => files.includes(file));
    return html`<h2>${name}</h2><div>${shown.map((file) => html`<a href="${file}"><img loading="lazy" alt="${file}" src="${file}"></a>`)}</div>`;
  });
  const page = html`<!doctype html><meta charset="utf-8"><title>Pictures</title><link rel="stylesheet" href="sheet.css">${rows}`;
  const file = join(folder, 'index.html');
  writeFileSync(join(folder, 'sheet.css'), style);
  writeFileSync(file, toText(page));
  return file;
}

const formOf = new RegExp(`-(?:${forms.toSorted((a, b) => b.length - a.length).join('|')})\\.png$`);
const style = `body { font: 1rem system-ui; background: #888; }
div { display: flex; gap: 1rem; overflow-x: auto; align-items: start; }
img { height: 20rem; border: 1px solid #444; }`;
