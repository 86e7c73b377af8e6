package plugins

// ExtensionSelects lets a device with memory of its own take the active rows out of a chunk
// by itself. It is for plans that say ActiveRows. The chunk stays whole in the arena from one
// iteration to the next, the host cuts nothing, and Among of an Upload is the bitmap of the
// vertices whose rows are wanted; it stays as it is until the answer.
//
// The device may take other rows as well, or all, but no more of the budget, once it has
// answered, than the whole chunk. Event.Bytes is what it has read.
const ExtensionSelects Extension = "selects"
