// How listings look: aligned columns, and times in UTC.
import type { EmailAddress, PhoneNumber } from '../kernel/recipient.ts';
import { maskEmail, maskPhone } from '../kernel/text/mask.ts';
import { escapeControls } from '../kernel/text/plain-text.ts';

export function writeTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, ...rows.map((row) => row.map((cell) => escapeControls(String(cell))))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function writeTime(at: number | undefined): string {
  return at === undefined ? '-' : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** For JSON. */
export function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

export function writeDetail(detail: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(detail)
    .map(([name, value]) => escapeControls(`${name}=${/^\S+$/.test(String(value)) ? value : JSON.stringify(value)}`))
    .join(' ');
}

export function writePhone(phone: PhoneNumber | undefined, reveal: boolean): string {
  if (phone === undefined) return '-';
  return reveal ? phone : maskPhone(phone);
}

export function writeEmail(email: EmailAddress, reveal: boolean): string {
  return reveal ? email : maskEmail(email);
}

/** A number with its noun: `1 file`, `2 files`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
