// The address of a PostgreSQL database, which may name several servers: postgres://user:password@one:5432,two:5432/name.

/** One address a server, in the order given. Undefined when it is none. */
export function splitDatabaseUrl(text: string): string[] | undefined {
  const [, head = '', servers = '', tail = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  const urls = servers.split(',').map((server) => `${head}${server}${tail}`);
  const isWhole = urls.length === 1 || servers.split(',').every((server) => server !== '');
  return text.length > head.length && isWhole && urls.every((url) => URL.canParse(url)) ? urls : undefined;
}
