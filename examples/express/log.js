// The last events of each user, in memory. A real app would keep them in its database, in one commit with what they change.

const mostEvents = 20;
const mostUsers = 10_000;

/** An event can come more than once: its id tells. */
export function createLog() {
  const users = new Map();
  return {
    add: ({ id, type, timestamp, data }) => {
      const known = users.get(data.userId) ?? [];
      if (known.some((event) => event.id === id)) return;
      users.delete(data.userId);
      users.set(data.userId, [{ id, type, timestamp }, ...known].slice(0, mostEvents));
      if (users.size > mostUsers) users.delete(users.keys().next().value);
    },
    of: (userId) => users.get(userId) ?? [],
  };
}
