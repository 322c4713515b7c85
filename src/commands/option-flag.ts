// How an option is written on the command line: `dbOnly` is --db-only.

export function optionFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
