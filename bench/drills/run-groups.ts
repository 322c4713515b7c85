// Runs drills one after the other. Those of one part share a stage, so that each begins where operators left it after the last.
import { mountDisk } from './disk.ts';
import type { Drill } from './drill.ts';
import { type DrillTimes, type Observation, runDrill } from './run-drill.ts';
import { openStage } from './stage.ts';
import type { openUndo } from './undo.ts';

type Cleaning = ReturnType<typeof openUndo>;

export async function runGroups(
  chosen: readonly Drill[],
  times: DrillTimes,
  cleaning: Cleaning,
  report: (seen: Observation) => void,
): Promise<void> {
  const groups = Map.groupBy(chosen, ({ part, needs = '' }) => `${part} ${needs}`);
  for (const group of groups.values()) {
    const data = group[0]?.needs === 'small disk' ? mountDisk(cleaning.undo) : undefined;
    const stage = await openStage(cleaning.undo, { ...(data !== undefined && { data }) });
    for (const drill of group) report(await runDrill(stage, drill, times));
    await cleaning.runAll();
  }
}
