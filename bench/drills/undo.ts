// Undoes what a drill has built, latest step first, even if a step fails, so that no process and no folder is left.

export type Undo = (step: () => unknown) => void;

export function openUndo(): { readonly undo: Undo; runAll(): Promise<void> } {
  const steps: (() => unknown)[] = [];
  return {
    undo: (step) => void steps.push(step),
    runAll: async () => {
      const failures: unknown[] = [];
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be undone');
    },
  };
}
