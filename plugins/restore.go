package plugins

// ExtensionRestore lets a run go on in a later session, perhaps of another process. By
// Task.Restorable the host says that between commands it would copy the state columns and the
// active set, to a file for instance, and give them to a later session to Restore. It drives
// the program by Step and Apply, or by Settle, then, even when all chunks are resident. A host
// may say so of any run that streams, so that Plan.Fixed leaves out what only Iterate uses;
// should all chunks fit then, it may Iterate all the same.
//
// A device that says Plan.Restores promises that it needs nothing else: what it holds beside
// the two it can make anew, and both are in the arena after each command. The host copies
// them only where nothing is under way: after Init, Apply, or a Settle after which no vertex is
// active. A run on a device that leaves Restores out starts from the beginning.
const ExtensionRestore Extension = "restore"

// Restore comes in place of Init: the state columns and the active set are as they were, in
// a session of the same Task, when the device told of Command.Iteration. What follows
// goes on from there, to the same bits. The answer repeats the Iteration's number. The device
// may make other vertices active, where it asks for edges anew. A task that settles counts
// rounds of its own, which may be more than Program.Bound. With a Task.Share it follows
// each Apply of the session itself; with a Task.Part it may come at any time. It needs a Plan
// that says Restores.
const Restore Op = Settle + 1
