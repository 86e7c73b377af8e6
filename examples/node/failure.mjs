// Kinds of failures, by which the host decides what to do: see Kind in device.proto.
export const kinds = { internal: 1, unsupported: 2, invalid: 3, budget: 4, chunk: 5, canceled: 6 };

// codes are what gRPC calls them.
const codes = { 1: 13, 2: 12, 3: 3, 4: 8, 5: 15, 6: 1 };

// Failure is an error with a kind.
export class Failure extends Error {
  constructor(kind, message, chunk) {
    super(message);
    this.kind = kinds[kind];
    this.chunk = chunk;
  }
}

// wire is an error as an event has it.
export function wire(error, device) {
  const w = { device, kind: error.kind ?? kinds.internal, message: error.message };
  if (error.chunk !== undefined) w.chunk = error.chunk;
  return w;
}

// code is that of gRPC.
export const code = (error) => codes[error.kind] ?? codes[kinds.internal];
