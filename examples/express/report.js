// Writes the report of a user: a small table as CSV.

/** A cell that begins with one of these would be a formula in an office program. */
const formula = /^[=+\-@]/;

export function writeReport({ phone, email, createdAt }, now) {
  const rows = [
    ['what', 'value'],
    ['phone', phone ?? ''],
    ['email', email ?? ''],
    ['member since', createdAt],
    ['written at', now.toISOString()],
  ];
  return `${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`;
}

function toCell(text) {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
