package intervals

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// receiving cuts chunks whose rows receive. Those of a destination interval follow each other. Once all are there, or
// as many as are held, it is known which vertices they have as sources; these are divided among cells in their order.
type receiving struct {
	*cutter
	number int        // of the destination interval whose lists wait
	end    uint64     // of the last chunk's rows
	meta   chunk.Meta // of the last chunk
	lists  []cut.Selection
	rank   *cut.Rank // of their sources
}

func (r *receiving) add(view *chunk.Chunk) error {
	meta := view.Meta()
	if r.meta.Direction != meta.Direction || r.meta.Cols != meta.Cols || r.end > meta.Rows.Base {
		if err := r.flush(); err != nil {
			return err
		}
	}
	r.meta, r.end = meta, meta.Rows.End()
	all, first := r.intervals(meta.Rows)
	for k, rows := range all {
		if r.number != first+k {
			if err := r.flush(); err != nil {
				return err
			}
		}
		r.number = first + k
		if lists, _ := cut.Rows(view, rows, false); lists.Lists() > 0 {
			r.lists, r.held = append(r.lists, lists), r.held+plan.ListHeld*lists.Lists()
		}
	}
	return nil
}

// flush divides the lists that wait among cells by their sources.
func (r *receiving) flush() error {
	lists := r.lists
	if r.lists, r.held = nil, 0; len(lists) == 0 {
		return nil
	}
	if r.rank == nil {
		r.rank = cut.NewRank(r.Plan.Graph.Manifest().Vertices)
	}
	r.rank.Reset(lists)
	groups, ranks := r.groups()
	parts := make([][]cut.Selection, len(groups))
	for _, each := range lists {
		for g, part := range each.Across(groups) {
			parts[g] = append(parts[g], part)
		}
	}
	for g, group := range groups {
		if err := r.write(group, ranks[g], parts[g]); err != nil {
			return err
		}
	}
	return nil
}

// groups are intervals of the graph with as many sources as the cells of the column have room for, one after the other,
// and the ranks of these.
func (r *receiving) groups() (groups, ranks []chunk.Interval) {
	count, cols := r.rank.Count(), r.meta.Cols
	room := r.cells.room(r.number)
	for base, from := cols.Base, uint64(0); from < count; room = r.cells.most {
		most := min(room, count-from)
		end := cols.End()
		if from+most < count {
			end = r.rank.Vertex(from + most)
		}
		groups = append(groups, chunk.Interval{Base: base, Count: end - base})
		ranks = append(ranks, chunk.Interval{Base: from, Count: most})
		base, from = end, from+most
	}
	return groups, ranks
}

// write writes what the lists have of a group of sources.
func (r *receiving) write(group, ranks chunk.Interval, lists []cut.Selection) error {
	q := r.number
	r.cells.room(q)
	first, err := r.cells.addSources(q, ranks.Count, func(visit func(v uint64)) { r.rank.Within(group, visit) })
	if err != nil {
		return err
	}
	var p piece
	for _, each := range lists {
		for _, part := range each.Cut(r.room, r.edgeRoom()) {
			size := r.size(part)
			if p.count > 0 && !p.fits(size, r.room) {
				if err := r.writePiece(q, p, first-ranks.Base); err != nil {
					return err
				}
				p = piece{}
			}
			p.add(part, size)
		}
	}
	return r.writePiece(q, p, first-ranks.Base)
}

// writePiece writes lists whose sources are numbered by their ranks, of which that of rank zero is number first.
func (r *receiving) writePiece(q int, p piece, first uint64) error {
	if p.count == 0 {
		return nil
	}
	joined, err := cut.Join(p.lists...)
	if err != nil {
		return err
	}
	joined.MoveRows(r.interval(q), r.session(destinations).Base)
	joined.PackNeighbors(r.session(sources), r.rank, first)
	return r.cells.addPiece(q, joined, r.buf)
}
