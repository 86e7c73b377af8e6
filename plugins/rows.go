package plugins

// ExtensionSelects lets a device with memory of its own take the active rows out of a chunk
// by itself. It is for plans that say ActiveRows. The chunk stays whole in the arena from one
// iteration to the next, the host cuts nothing, and Among of an Upload is the bitmap of the
// vertices whose rows are wanted; it stays as it is until the answer.
//
// The device may take other rows as well, or all, but no more of the budget, once it has
// answered, than the whole chunk. Event.Bytes is what it has read.
const ExtensionSelects Extension = "selects"

// ExtensionPasses computes a procedure in passes over the chunks, so that the graph need not fit the device: the
// semi-external model, in which what a vertex has stays on the device and lists of edges come and go (Abello,
// Buchsbaum, Westbrook, "A functional approach to external graph algorithms", Algorithmica 2002).
//
// By Task.Passes the host says that it would drive the procedure as a program, by Init, Step and Apply, and never by
// Call. Plan.Passes says that the device does; then Plan.ActiveRows is set as well, and Plan.Fixed has room for the
// lists that the device holds from Step to Apply. Init and Apply name in Layout.Active the vertices whose lists the
// next pass needs, in each of Plan.Directions. Between them each of these lists comes in full, in one Step or in
// pieces; lists of other vertices may come, and are passed over. Apply answers KindInvalid if a list has not come.
// Iteration counts passes, and Converged says that the result columns are written. A device that leaves Passes out is
// given all chunks at once, or nothing.
//
// The more of the budget a device holds lists in, the fewer passes there are. It leaves chunks at least 16 KiB. Where
// the budget has no bound, Fixed is the least that it can do with.
const ExtensionPasses Extension = "passes"
