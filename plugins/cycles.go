package plugins

// ExtensionCycles has a device that is to Iterate over all chunks end a run at once whose values get better for ever
// around a cycle, with Iteration.Cycle: of a program with Diverged, whose messages are a weight added to what the
// sender has, or multiplied with it, or which adds up what senders have (algorithms.Program.AddsUp). Iterations would
// show it after as many as there are vertices, of sums when numbers end, and not at all where a product comes to 0 by
// rounding. The host looks for such a cycle itself beforehand, unless the device has all chunks and says in its
// description that it does; and where the task is Restorable, which leaves a device no more than iterations.
const ExtensionCycles Extension = "cycles"
