// Shows enough of a phone number, a mail address or a network address to recognise it, and no more.

export function maskPhone(phone: string): string {
  return phone.length < 8 ? '+•••' : `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
}

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** The first half of an IPv4 address, the first two groups of an IPv6 one. */
export function maskNetworkAddress(address: string): string {
  const [, start] = /^(\d+\.\d+\.|[0-9a-f]*:[0-9a-f]*:)/i.exec(address) ?? [];
  return start === undefined ? '•••' : `${start}•••`;
}
