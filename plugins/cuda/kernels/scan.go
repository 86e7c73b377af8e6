package kernels

import "github.com/penstock-db/penstock/plugins/cuda/driver"

const (
	scanTile    = 8 * Block  // values, as in scan.cu
	compactTile = 64 * Block // vertices
)

// tilesOf is how many tiles hold n things.
func tilesOf(n, tile uint64) uint64 { return (n + tile - 1) / tile }

// ScanScratch is the size of the scratch of Scan.
func ScanScratch(n uint64) uint64 { return 8 * (tilesOf(n, scanTile) + 1) }

// Scan sets to, n+1 u64, to the sums of the values before each of n u32, and of all of them.
func (p *Plain) Scan(s driver.Stream, to, from driver.Pointer, n uint64, scratch driver.Pointer) error {
	tiles := tilesOf(n, scanTile)
	blocks := gridOf(tiles*Block, mostBlocks)
	if err := p.launch(s, "scan_sums", blocks, uint64(from), n, uint64(scratch)); err != nil {
		return err
	}
	if err := p.launch(s, "scan_tiles", 1, uint64(scratch), tiles); err != nil {
		return err
	}
	return p.launch(s, "scan", blocks, uint64(to), uint64(from), n, uint64(scratch))
}

// CompactScratch is the size of the scratch of Compact.
func CompactScratch(n uint64) uint64 { return 8 * (tilesOf(n, compactTile) + 1) }

// Compact lists the members among the first n of a bitmap, as u32 in ascending order, and sets *count, a u64, to how
// many they are.
func (p *Plain) Compact(s driver.Stream, list, count, bitmap driver.Pointer, n uint64, scratch driver.Pointer) error {
	tiles := tilesOf(n, compactTile)
	blocks := gridOf(tiles*Block, mostBlocks)
	if err := p.launch(s, "compact_sums", blocks, uint64(bitmap), n, uint64(scratch)); err != nil {
		return err
	}
	if err := p.launch(s, "scan_tiles", 1, uint64(scratch), tiles); err != nil {
		return err
	}
	return p.launch(s, "compact", blocks, uint64(list), uint64(count), uint64(bitmap), n, uint64(scratch))
}
