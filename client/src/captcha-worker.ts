// The worker that solves captchas off the main thread. It receives one challenge and posts its progress, then the token.
import { type Challenge, solveChallenge } from './solve-challenge.ts';

addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  try {
    postMessage({ token: await solveChallenge(data, (share) => postMessage({ share })) });
  } catch (error) {
    postMessage({ problem: String(error) });
  }
});
