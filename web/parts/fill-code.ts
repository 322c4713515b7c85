// Sends a code from the inbox page to the page in this browser that waits for it.

type Offer = { readonly kind: 'offer'; readonly to: string; readonly code: string };
type Accepted = { readonly kind: 'accepted'; readonly to: string };

const channelName = 'gatehouse-code';
const answerMilliseconds = 700;

/** Tells whether a page accepted the code: no after a moment without an answer, but yes if the answer comes later. */
export function offerCode(to: string, code: string, tell: (isTaken: boolean) => void): void {
  const channel = new BroadcastChannel(channelName);
  const giveUp = setTimeout(() => tell(false), answerMilliseconds);
  channel.onmessage = ({ data }: MessageEvent<Offer | Accepted>) => {
    if (data.kind !== 'accepted' || data.to !== to) return;
    clearTimeout(giveUp);
    channel.close();
    tell(true);
  };
  channel.postMessage({ kind: 'offer', to, code } satisfies Offer);
}

/** Accepts codes for this recipient. Returns a function that stops it. */
export function takeCodes(to: string, onCode: (code: string) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Offer | Accepted>) => {
    if (data.kind !== 'offer' || data.to !== to) return;
    channel.postMessage({ kind: 'accepted', to } satisfies Accepted);
    onCode(data.code);
  };
  return () => channel.close();
}
