// The button that sends a message again after a countdown. If the service asks for a longer wait, the countdown follows it.
import { fill, formatDuration } from './element-facts.ts';
import { createTask, makeButton, type Notice } from './form-parts.ts';
import { readFailure, type Scene } from './scene.ts';

type Parts = {
  readonly scene: Scene;
  readonly afterSeconds: readonly number[];
  /** When the message may be sent again, in milliseconds since 1970. */
  readonly resendAt: number;
  readonly bad: Notice;
  readonly good: Notice;
  readonly send: () => Promise<void>;
};

export type ResendButton = {
  readonly node: HTMLButtonElement;
  /** The message that was sent is of no use any more. */
  readonly emphasise: (isMain: boolean) => void;
};

export function makeResendButton({ scene, afterSeconds, resendAt, bad, good, send }: Parts): ResendButton {
  const { texts, language } = scene.facts;
  let end = resendAt;
  let count = 0;
  const sendAgain = () =>
    run(async () => {
      good.show('');
      try {
        await send();
      } catch (error) {
        const { retryAfterSeconds } = readFailure(error);
        if (retryAfterSeconds !== undefined) wait(retryAfterSeconds);
        throw error;
      }
      count += 1;
      good.show(texts.sentAgain);
      emphasise(false);
      wait(afterSeconds[Math.min(count, afterSeconds.length - 1)] ?? 0);
    });
  const node = makeButton('quiet', texts.resend, () => void sendAgain());
  const run = createTask({ scene, notice: bad, button: node });
  const emphasise = (isMain: boolean) => {
    node.className = `button ${isMain ? 'primary' : 'quiet'}`;
    node.part.toggle('button-primary', isMain);
  };
  const show = () => {
    const seconds = Math.ceil((end - Date.now()) / 1000);
    node.disabled = seconds > 0;
    const text = seconds > 0 ? fill(texts.resendIn, 'duration', formatDuration(seconds, language)) : texts.resend;
    if (node.textContent !== text) node.firstElementChild?.replaceChildren(text);
  };
  const wait = (seconds: number) => {
    end = Date.now() + seconds * 1000;
    show();
  };
  const timer = setInterval(show, 250);
  scene.left.addEventListener('abort', () => clearInterval(timer));
  show();
  return { node, emphasise };
}

/** When a message that is sent now may be sent again. */
export function firstResendAt(afterSeconds: readonly number[]): number {
  return Date.now() + (afterSeconds[0] ?? 0) * 1000;
}
