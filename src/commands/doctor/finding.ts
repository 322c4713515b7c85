// One line of the doctor: what was checked, its state, and what to do about it.

export type Finding = {
  readonly name: string;
  readonly state: 'good' | 'doubtful' | 'bad';
  readonly detail: string;
  readonly cure?: string;
};

const marks = { good: '✔', doubtful: '!', bad: '✖' } as const;

export function good(name: string, detail: string): Finding {
  return { name, state: 'good', detail };
}

export function doubtful(name: string, detail: string, cure: string): Finding {
  return { name, state: 'doubtful', detail, cure };
}

export function bad(name: string, detail: string, cure: string): Finding {
  return { name, state: 'bad', detail, cure };
}

export function writeFinding({ name, state, detail, cure }: Finding): string {
  const line = `${marks[state]} ${name.padEnd(9)} ${detail}\n`;
  return cure === undefined ? line : `${line}            → ${cure}\n`;
}
