// Carries a code from the inbox page to whichever page of this browser is waiting for one.

type Offer = { readonly kind: 'offer'; readonly to: string; readonly code: string };
type Thanks = { readonly kind: 'thanks'; readonly to: string };

const channelName = 'gatehouse-code';
const answerMilliseconds = 700;

/** Whether some page took the code. */
export function offerCode(to: string, code: string): Promise<boolean> {
  const channel = new BroadcastChannel(channelName);
  return new Promise((resolve) => {
    const finish = (isTaken: boolean) => {
      channel.close();
      resolve(isTaken);
    };
    channel.onmessage = ({ data }: MessageEvent<Offer | Thanks>) => {
      if (data.kind === 'thanks' && data.to === to) finish(true);
    };
    channel.postMessage({ kind: 'offer', to, code } satisfies Offer);
    setTimeout(() => finish(false), answerMilliseconds);
  });
}

/** Takes codes for this recipient until the function it gives is called. */
export function takeCodes(to: string, onCode: (code: string) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Offer | Thanks>) => {
    if (data.kind !== 'offer' || data.to !== to) return;
    channel.postMessage({ kind: 'thanks', to } satisfies Thanks);
    onCode(data.code);
  };
  return () => channel.close();
}
