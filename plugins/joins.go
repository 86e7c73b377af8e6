package plugins

// ExtensionJoins has several devices find something together whose parts each finds along its own edges, which are sent
// once. It comes with ExtensionShares, and is for two kinds of programs: those in which all vertices of a component end
// with the best of what they began with; and those that go level by level, as breadth-first search does, where all that
// a level reaches get the same value.
//
// By Task.Joins the host asks for it, and Plan.Joins says that the device does. An Apply leaves vertices of whatever
// share with what the session's edges have brought them: of components, in place of a value of 8 bytes, a label, the
// number (uint64) of the lowest vertex among those that they are joined with so far; or the level's value. None of them
// is active then. Now the devices are told of each other, one after the other: the host puts in place the state of all
// vertices as another device has it, with none of them active, and sends Restore. The session adds to that state what
// its own edges have brought: vertices that have the same label there are joined, beside what they join; or vertices
// that they reach have the level's value. What the last one has is of all: it is put in place everywhere, and sent with
// a Restore that is Complete, to the last as well. Then labels give way to values.
//
// By that Restore a device may ask for edges, by the active set: a few lists with Task.ActiveRows, and more; the edges
// of the next level's frontier; or, where they lead both ways, those of vertices that no level has reached (Beamer,
// Asanović, Patterson, "Direction-Optimizing Breadth-First Search", 2012); with Task.Places, parts of their lists. All
// devices must ask for the same, so that this must depend on the state alone, on what was asked for before, and on
// Iteration.Looked: each says so with Apply, and is told the sum with each Restore.
//
// A Restore before any Apply is of a session that goes on from a checkpoint: it asks for edges as Init does.
const ExtensionJoins Extension = "joins"
