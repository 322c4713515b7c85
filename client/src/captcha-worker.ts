// The program of the worker that solves captchas, so that a page stays smooth: one challenge in, how far it has come and its token out.
import { type Challenge, solveChallenge } from './solve-challenge.ts';

addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  try {
    postMessage({ token: await solveChallenge(data, (share) => postMessage({ share })) });
  } catch (error) {
    postMessage({ problem: String(error) });
  }
});
