// Runs drills one after the other. Those of one part share a stage, until one of them leaves it broken.
import { mountDisk } from './disk.ts';
import type { Drill } from './drill.ts';
import { type DrillTimes, type Observation, runDrill } from './run-drill.ts';
import { openStage, type Stage } from './stage.ts';
import type { openUndo } from './undo.ts';

type Cleaning = ReturnType<typeof openUndo>;

export async function runGroups(
  chosen: readonly Drill[],
  times: DrillTimes,
  cleaning: Cleaning,
  /** An error if the drill itself did not work. True if the stage can be used for the next drill. */
  report: (seen: Observation | Error, drill: Drill) => boolean,
): Promise<void> {
  const groups = Map.groupBy(chosen, ({ part, needs = '' }) => `${part} ${needs}`);
  for (const group of groups.values()) {
    let stage: Stage | undefined;
    for (const drill of group) {
      stage ??= await openFor(drill, cleaning);
      const seen = await runDrill(stage, drill, times).catch(toError);
      if (report(seen, drill) && drill.needs !== 'no memory') continue;
      stage = undefined;
      await cleaning.runAll();
    }
    await cleaning.runAll();
  }
}

function openFor({ needs }: Drill, { undo }: Cleaning): Promise<Stage> {
  return openStage(undo, needs === 'small disk' ? { data: mountDisk(undo) } : {});
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
