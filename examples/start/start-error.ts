// Why the example cannot start, in a sentence for the reader of the terminal.

export class StartError extends Error {}
