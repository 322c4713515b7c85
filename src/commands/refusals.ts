// Runs a command that may be refused: tells the refusal on stderr and gives the exit code 1.
import { Refusal } from '../backup/snapshot.ts';
import { Failure } from '../kernel/failure.ts';

export async function orRefusal(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return tell(error.message);
    if (!(error instanceof Failure)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return tell(`It ended with ${error.code}${cause}. Run gatehouse doctor to see what is wrong.`);
  }
}

function tell(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
