package plugins

// ExtensionJoins has several devices find something together whose parts each finds along its own edges, which are sent
// once. It comes with ExtensionShares, and is for two kinds of programs: those in which all vertices of a component end
// with the best of what they began with, no two of which are alike; and those that go level by level, as
// breadth-first search does, where all that a level reaches get the same value.
//
// By Task.Joins the host asks for it, and Plan.Joins says that the device does. An Apply leaves vertices of whatever
// share with what the session's edges have brought them: the best value among those that they are joined with so far,
// or the level's. None of them is active then. Now the devices are told of each other, one after the other: the host
// puts in place the state of all vertices as another device has it, with none of them active, and sends Restore. The
// session adds to that state what its own edges have brought: vertices that have the same value there are joined,
// beside what they join; or vertices that they reach have the level's value. In the end each has been told of the last
// one, which has been told of all, so that the state is the same everywhere.
//
// By Restore a device may ask for edges, by the active set: a few lists with Task.ActiveRows, and more; the edges of
// the next level's frontier; or, where they lead both ways, those of vertices that no level has reached (Beamer,
// Asanović, Patterson, "Direction-Optimizing Breadth-First Search", 2012). The host goes by what the last one asks for,
// so that this must depend on the state alone, and on what was asked for before; of a level, which may be told of
// twice, on the state at its begin.
//
// A Restore before any Apply is of a session that goes on from a checkpoint: it asks for edges as Init does.
const ExtensionJoins Extension = "joins"
