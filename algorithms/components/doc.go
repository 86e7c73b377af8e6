// Package components defines algorithms that say what holds together, and what it falls apart without: WCC, SCC,
// ArticulationPoints, Bridges, BiconnectedComponents.
package components
