// Shows enough of a phone number or an address to recognise it, and no more.

export function maskPhone(phone: string): string {
  return phone.length < 8 ? '+•••' : `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
}

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`;
}
