// Package learners has the procedures that learn from a bipartite graph (plugins.ExtensionLearns): MEGA programs
// (package plugins/mega) over the chunks of a session. A learner is a file of this package, and a line of its table.
//
//	New(job, task) ──table──▶ Learner, plan with its memory
//	chunks ──Read──▶ Bipartite: both sides numbered, edges by left vertex ──mega.Run──▶ rows of both ──▶ rows of vertices
package learners
