// The names of users: their phone numbers from Gatehouse, masked. The app keeps no number, only a short memory of names.
import type { Service } from '@gatehouse/client/service';

const keptMilliseconds = 60_000;
const mostNames = 10_000;

export function createNames(service: Service): (userId: string) => Promise<string> {
  const names = new Map<string, { readonly name: Promise<string>; readonly until: number }>();
  return (userId) => {
    const known = names.get(userId);
    if (known !== undefined && Date.now() < known.until) return known.name;
    if (names.size >= mostNames) names.clear();
    // A name that cannot be found out now is asked for again later, and the notes are shown meanwhile.
    const name = service.users.get(userId).then(
      ({ phone }) => mask(phone),
      () => 'somebody',
    );
    names.set(userId, { name, until: Date.now() + keptMilliseconds });
    return name;
  };
}

/** `+447400123456` becomes `+44•••••••456`. */
export function mask(phone: string | null): string {
  if (phone === null) return 'no number';
  return `${phone.slice(0, 3)}${'•'.repeat(Math.max(0, phone.length - 6))}${phone.slice(-3)}`;
}
