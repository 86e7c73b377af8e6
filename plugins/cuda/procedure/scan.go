package procedure

import "github.com/penstock-db/penstock/plugins/cuda/driver"

// scanTile is how many values a block scans: SCAN_TILE in procedure_scan.cuh.
const scanTile = 2048

func tiles(count uint64) uint64 { return (count + scanTile - 1) / scanTile }

// scan replaces count values by the sums of those before each. sums has room for sumsOf(count).
func (r *run) scan(values driver.Pointer, count uint64, sums driver.Pointer) {
	tiled := tiles(count)
	if tiled <= 1 {
		r.launch("scan_tiles", 1, count, uint64(values), 0)
		return
	}
	r.launch("scan_tiles", tiled*blockThreads, count, uint64(values), uint64(sums))
	r.scan(sums, tiled, sums+driver.Pointer(8*tiled))
	r.launch("scan_add", count, count, uint64(values), uint64(sums))
}

// sumsOf is how many sums of tiles, of tiles of these … there are.
func sumsOf(count uint64) (sums uint64) {
	for count > scanTile {
		count = tiles(count)
		sums += count
	}
	return sums
}
