// Masks phone numbers, e-mail addresses and IP addresses so that they can be recognised but not read.

import type { AuditDetail } from '../audit.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../recipient.ts';

export function maskPhone(phone: PhoneNumber): string {
  return maskNumberText(phone);
}

export function maskEmail(email: EmailAddress | EmailKey): string {
  return maskAddressText(email);
}

/** A text that looks like a number, which no parser has seen. */
export function maskNumberText(phone: string): string {
  return phone.length < 8 ? '+•••' : `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
}

/** A text that looks like an address, which no parser has seen. */
export function maskAddressText(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** Shows the first half of an IPv4 address, or the first two groups of an IPv6 address. */
export function maskNetworkAddress(address: string): string {
  const [, start] = /^(\d+\.\d+\.|[0-9a-f]*:[0-9a-f]*:)/i.exec(address) ?? [];
  return start === undefined ? '•••' : `${start}•••`;
}

/** The audit log stores phone numbers and e-mail addresses masked, but IP addresses in full. This masks the IP addresses. */
export function maskDetail(detail: AuditDetail): AuditDetail {
  const entries = Object.entries(detail).map(([name, value]) => {
    const isHidden = name === 'ip' || name === 'address';
    return [name, isHidden ? maskNetworkAddress(String(value)) : value] as const;
  });
  return Object.fromEntries(entries);
}
