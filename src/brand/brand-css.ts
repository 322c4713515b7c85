// The style sheet of a brand: the accent variables of the pages, in light and in dark.
import type { Accent, Shades } from './accent.ts';

export function writeBrandCss({ light, dark }: Accent): string {
  return `:root{${listVariables(light)}}\n@media (prefers-color-scheme:dark){:root{${listVariables(dark)}}}\n`;
}

/** The names that web/style/colours.css gives them. */
export function variablesOf({ accent, strong, onAccent, tint }: Shades): Readonly<Record<string, string>> {
  return { '--accent': accent, '--accent-strong': strong, '--on-accent': onAccent, '--tint': tint };
}

function listVariables(shades: Shades): string {
  return Object.entries(variablesOf(shades))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}
