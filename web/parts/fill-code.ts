// Sends a code from the inbox page to the page in this browser that waits for it.

type Offer = { readonly kind: 'offer'; readonly to: string; readonly code: string };
type Accepted = { readonly kind: 'accepted'; readonly to: string };

const channelName = 'gatehouse-code';
const answerMilliseconds = 700;

/** Returns whether a page accepted the code. */
export function offerCode(to: string, code: string): Promise<boolean> {
  const channel = new BroadcastChannel(channelName);
  return new Promise((resolve) => {
    const finish = (isTaken: boolean) => {
      channel.close();
      resolve(isTaken);
    };
    channel.onmessage = ({ data }: MessageEvent<Offer | Accepted>) => {
      if (data.kind === 'accepted' && data.to === to) finish(true);
    };
    channel.postMessage({ kind: 'offer', to, code } satisfies Offer);
    setTimeout(() => finish(false), answerMilliseconds);
  });
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
