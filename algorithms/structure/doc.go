// Package structure defines algorithms that say what it looks like around a vertex:
//
//	triangles and cliques    Triangles, LCC, KCore, KTruss, Motifs, RichClub
//	distances                Diameter, Eccentricity, EgoNetwork
package structure
