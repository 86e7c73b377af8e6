package plugins

// ExtensionJoins has several devices find connected components together, each along its own edges, which are sent
// once. It comes with ExtensionShares, and is for programs in which all vertices of a component end with the best of
// what they began with, no two of which are alike.
//
// By Task.Joins the host asks for it, and Plan.Joins says that the device does. An Apply leaves all vertices, of
// whatever share, with the best value among those that the session's edges so far join them with, and none of them
// active. Then the devices are told of each other, one after the other: the host puts in place the state of all
// vertices as another device has it, with none of them active, and sends Restore. Vertices that have the same value
// there are joined, beside what the session's own edges join, and the session's state is then of both. In the end each
// has been told of the last one, which has been told of all.
//
// With Task.ActiveRows a device may ask for a few lists, and by Restore for more, by the active set. The host goes by
// what the last one asks for, so that this must depend on the state alone, and on what was asked for before.
//
// A Restore before any Apply is of a session that goes on from a checkpoint: it asks for edges as Init does.
const ExtensionJoins Extension = "joins"
