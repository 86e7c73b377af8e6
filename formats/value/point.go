package value

// The coordinate systems by their SRIDs.
const (
	WGS84         int32 = 4326 // longitude, latitude
	WGS84In3D     int32 = 4979 // and height in metres
	Cartesian     int32 = 7203
	CartesianIn3D int32 = 9157
)

var systems = map[int32]string{WGS84: "wgs-84", WGS84In3D: "wgs-84-3d", Cartesian: "cartesian", CartesianIn3D: "cartesian-3d"}

// System is the name of the coordinate system.
func (p Place) System() string { return systems[p.SRID] }

func (p Place) dimensions() int {
	if p.SRID == WGS84In3D || p.SRID == CartesianIn3D {
		return 3
	}
	return 2
}
