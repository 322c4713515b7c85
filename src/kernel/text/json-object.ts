// A JSON object of unknown fields, as apps store it with a user.

export type JsonObject = Readonly<Record<string, unknown>>;
