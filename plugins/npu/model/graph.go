package model

import (
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/translation"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

var onnxTypes = map[algorithms.Type]onnx.Type{algorithms.Float: onnx.Float64, algorithms.Int: onnx.Int64,
	algorithms.VertexID: onnx.Int64, algorithms.Bool: onnx.Bool}

// graph is Process and Reduce over a block of rows × n pairs.
func (p *Plan) graph(rows, n int64, c cells) (*onnx.Graph, error) {
	t := p.translation([]int64{rows, 1}, []int64{1, n})
	there := c(t)
	value, err := t.Visit(t.Checked.GetExpr())
	if err != nil {
		return nil, err
	}
	sends := t.Apply("And", "senders", there)
	t.Output("acc", p.arrivalType(), rows)
	t.Reduce(p.program.Reduce, p.accType, value, sends, n)
	return t.Graph, nil
}

// translation begins a graph over columns of targets and of sources, of such shapes.
func (p *Plan) translation(targets, sources []int64) *translation.Translation {
	t := &translation.Translation{Graph: &onnx.Graph{Name: "expression"}, Checked: p.program.Process.Checked,
		Known: map[string]string{}}
	t.Input("senders", onnx.Bool, sources...)
	for _, in := range p.Inputs {
		shape := targets
		if strings.HasPrefix(in.Name, "src.") {
			shape = sources
		}
		t.Input(in.Name, onnxTypes[in.Type], shape...)
	}
	return t
}

// arrivalType is that of what a graph brings: a bool as a number, which the runtime can take the least or largest of.
func (p *Plan) arrivalType() onnx.Type {
	if p.accType == algorithms.Bool {
		return onnx.Uint8
	}
	return onnxTypes[p.accType]
}
