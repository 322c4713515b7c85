// The rooms whose tests are held against mutants, and the score that each must reach.
/** Percent of the mutants of a room that a test must notice. */
export const wantedScore = 85;

export const rooms = ['auth', 'abuse', 'files', 'media', 'http/guards'] as const;

type Room = (typeof rooms)[number];

/** The media package is a room beside the service. */
export function folderOf(room: Room): string {
  return room === 'media' ? 'media/src' : `src/${room}`;
}

/** `src/auth/sessions/session.ts` is in the room `auth`. */
export function roomOf(file: string): Room | undefined {
  return rooms.find((room) => file.startsWith(`${folderOf(room)}/`));
}
