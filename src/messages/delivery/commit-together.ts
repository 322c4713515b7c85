// Collects the calls of one turn of the event loop and makes them in one commit: messages that begin or are accepted together.

type Waiting<Input, Output> = {
  readonly input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
};

/** Resolves after the commit. `commit` gives one output for each input. */
export function commitTogether<Input, Output>(
  commit: (inputs: readonly Input[]) => Promise<readonly Output[]>,
): (input: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = [];
  const settle = async (batch: readonly Waiting<Input, Output>[]) => {
    const outputs = await commit(batch.map(({ input }) => input));
    for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
  };
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      await settle(batch);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      // A message that the store refuses must not harm others: each is committed alone.
      for (const one of batch) settle([one]).catch(one.reject);
    }
  };
  return (input) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ input, resolve, reject });
    });
}
