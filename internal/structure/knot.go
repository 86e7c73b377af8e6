package main

import (
	"go/ast"
	"go/token"

	"github.com/penstock-db/penstock/internal/gosource"
)

// dependencies says, for each file of a package by its place, which other files declare what it uses: types, functions,
// methods, fields, variables and constants.
func dependencies(fset *token.FileSet, pkg *gosource.Package, files []*gosource.File) [][]int {
	place := map[string]int{}
	for i, f := range files {
		place[f.Path] = i
	}
	uses := make([][]int, len(files))
	for i, f := range files {
		seen := map[int]bool{i: true}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			object := pkg.Info.Uses[name]
			if object == nil || object.Pkg() != pkg.Types {
				return true
			}
			j, ok := place[fset.Position(object.Pos()).Filename]
			if ok && !seen[j] {
				seen[j] = true
				uses[i] = append(uses[i], j)
			}
			return true
		})
	}
	return uses
}

// knot is the size of the largest knot: a strongly connected component of two or more nodes (Tarjan, SIAM J. Comput.
// 1972). Any file of a knot depends on all others of it. Without a knot it is 0.
func knot(uses [][]int) int {
	var (
		largest int
		stack   []int
		index   = make([]int, len(uses)) // order of discovery, from 1; 0: not seen
		low     = make([]int, len(uses)) // the earliest node that is reached
		onStack = make([]bool, len(uses))
		next    = 1
		visit   func(v int)
	)
	visit = func(v int) {
		index[v], low[v] = next, next
		next++
		stack = append(stack, v)
		onStack[v] = true
		for _, w := range uses[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		for size := 1; ; size++ {
			w := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			onStack[w] = false
			if w == v {
				if size > 1 {
					largest = max(largest, size)
				}
				return
			}
		}
	}
	for v := range uses {
		if index[v] == 0 {
			visit(v)
		}
	}
	return largest
}
