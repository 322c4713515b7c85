// The client of a rotation: hashes of what identifies it, and whether the client that repeats a refresh token is the same one.

/** Hashes that identify a client, salted with the seed in its tokens. Equal marks mean equal text and reveal nothing else. */
export type ClientMarks = {
  readonly agent: string;
  /** Undefined if the IP address is unknown. */
  readonly network: string | undefined;
  /** Of the device token. Empty if the client showed no valid one. */
  readonly device: string;
};

/** The client that received a token. `device` is undefined if a version recorded it that knew no devices. */
export type RecordedClient = Omit<ClientMarks, 'device'> & { readonly device: string | undefined };

/**
 * Whether the client may get the successor again. Within the grace period a client may do so unless it is clearly another one. Later
 * it must be the same device: by its device token, or by its program and its network. What a version recorded that knew no devices
 * is judged as within the grace period, so that an upgrade signs nobody out.
 */
export function mayRepeat(
  client: ClientMarks | undefined,
  known: RecordedClient | undefined,
  { isLate }: { isLate: boolean },
): boolean {
  const isRecordedByOlder = known !== undefined && known.device === undefined;
  return isSameDevice(client, known) || ((!isLate || isRecordedByOlder) && !isOther(client, known));
}

function isSameDevice(client: ClientMarks | undefined, known: RecordedClient | undefined): boolean {
  if (client === undefined || known === undefined) return false;
  if (client.device !== '' && client.device === known.device) return true;
  return client.agent === known.agent && client.network === known.network;
}

/** Both marks must differ: a client rarely changes its network and its user agent between a lost response and the retry. */
function isOther(client: ClientMarks | undefined, known: RecordedClient | undefined): boolean {
  if (known?.network === undefined || client?.network === undefined) return false;
  return client.agent !== known.agent && client.network !== known.network;
}

/**
 * The text includes its counter. A node of an older version increments the counter without this text, which makes it stale; one that
 * knows no devices writes and reads the text without the last word.
 */
export function writeRotatedBy(counter: number, client: ClientMarks | undefined): string | null {
  return client === undefined ? null : [counter, client.agent, client.network ?? '', client.device].join(' ');
}

export function readRotatedBy(text: string | null, counter: number): RecordedClient | undefined {
  const [at, agent = '', network = '', device] = text?.split(' ') ?? [];
  return at === String(counter) ? { agent, network: network === '' ? undefined : network, device } : undefined;
}
