package network

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/blas"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// Products says what multiplies matrices.
type Products string

// What there is.
const (
	AnyProducts Products = "" // cuBLAS, where the machine has it
	Library     Products = "cublas"
	Tiled       Products = "tiled" // a kernel
)

// openLibrary finds what multiplies: nil is the kernel. How is what a report says of it.
func openLibrary(products Products) (library *blas.Handle, how string, err error) {
	how = "tiled products"
	if products == Tiled {
		return nil, how, nil
	}
	l, err := blas.Load()
	if err == nil {
		library, err = l.Open()
	}
	switch {
	case err == nil:
		return library, "products by cuBLAS " + l.Version, nil
	case products == Library:
		return nil, "", plugins.Errorf(plugins.KindLaunch, "products by cuBLAS: %w", err)
	case l != nil:
		how += " (" + err.Error() + ")" // it is there, and does not work
	}
	return nil, how, nil
}

// product is a matrix product. Of x transposed, rows are added up: those of vertices in parts, where a kernel does it.
type product struct {
	m, inner                 height
	n                        uint64
	x, y                     *buffer
	xTransposed, yTransposed bool
	out, partial             *buffer // partial is nil: there is one part
}

func (p *product) buffers() []*buffer {
	all := []*buffer{p.x, p.y, p.out}
	if p.partial != nil {
		all = append(all, p.partial)
	}
	return all
}

// Sums over rows are taken in at most so many parts, of so many rows at least.
const (
	productParts = 64
	productPart  = 256
)

func (p *product) launch(r *run) error {
	m, inner := r.count(p.m), r.count(p.inner)
	if r.library != nil {
		if done, err := r.library.Multiply(m, p.n, inner, r.at(p.x), p.xTransposed, r.at(p.y), p.yTransposed,
			r.at(p.out)); done || err != nil {
			return err
		}
	}
	x := kernels.Matrix{Of: r.at(p.x), RowsApart: inner, ColumnsApart: 1}
	if p.xTransposed {
		x.RowsApart, x.ColumnsApart = 1, m
	}
	y := kernels.Matrix{Of: r.at(p.y), RowsApart: p.n, ColumnsApart: 1}
	if p.yTransposed {
		y.RowsApart, y.ColumnsApart = 1, inner
	}
	if p.partial == nil {
		return r.kernels.Product(r.stream, m, p.n, inner, x, y, 1, max(1, inner), r.at(p.out))
	}
	parts, each := partsOf(inner, productParts, productPart)
	if err := r.kernels.Product(r.stream, m, p.n, inner, x, y, parts, each, r.at(p.partial)); err != nil {
		return err
	}
	return r.kernels.Total(r.stream, m*p.n, parts, r.at(p.partial), false, r.at(p.out))
}
