// Use case: the server of an app reads the events that follow its cursor, in order and without a gap.
import { Failure } from '../kernel/failure.ts';
import { type EventPlace, type EventStore, type PlacedEvent, readCursor, writeCursor } from './event-log.ts';
import { toPayload, type WebhookPayload } from './webhooks/webhook-event.ts';

type EventPage = { readonly events: readonly WebhookPayload[]; readonly next: string };

/** A call that finds nothing new writes nothing. */
export async function readEvents(
  { events }: { readonly events: EventStore },
  input: { readonly after: string | undefined; readonly limit: number },
): Promise<EventPage> {
  const after = input.after === undefined ? undefined : readCursor(input.after);
  if (input.after !== undefined && after === undefined) throw new Failure('REQUEST_INVALID', { field: 'after' });
  const query = { after, most: input.limit };
  const first = await events.read(query);
  const reading = first.kind === 'behind' ? await events.placeAndRead(query) : first;
  if (reading.kind === 'expired') throw new Failure('CURSOR_EXPIRED');
  const { payloads, end } = describe(reading.events, reading.end);
  return { events: payloads, next: writeCursor(end) };
}

/** The page ends before an event of a kind that only a later version knows: a node of that version gives it to the reader. */
function describe(events: readonly PlacedEvent[], end: EventPlace): { payloads: WebhookPayload[]; end: EventPlace } {
  const payloads: WebhookPayload[] = [];
  for (const event of events) {
    const payload = toPayload(event);
    if (payload === undefined) return { payloads, end: { era: end.era, position: event.position - 1 } };
    payloads.push(payload);
  }
  return { payloads, end };
}
