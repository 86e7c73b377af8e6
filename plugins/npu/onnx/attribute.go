package onnx

// Attribute is a setting of a node that is part of the model.
type Attribute struct {
	name   string
	kind   uint64 // AttributeProto.AttributeType
	encode func(*message)
}

// Int is an attribute of one whole number.
func Int(name string, v int64) Attribute {
	return Attribute{name, 2, func(m *message) { m.varint(3, uint64(v)) }}
}

// Ints is an attribute of whole numbers.
func Ints(name string, vs ...int64) Attribute {
	return Attribute{name, 7, func(m *message) {
		for _, v := range vs {
			m.varint(8, uint64(v))
		}
	}}
}

// Float is an attribute of one number in single precision.
func Float(name string, v float32) Attribute {
	return Attribute{name, 1, func(m *message) { m.single(2, v) }}
}

// Text is an attribute of characters.
func Text(name, v string) Attribute {
	return Attribute{name, 3, func(m *message) { m.message(4, []byte(v)) }}
}

// Constant is an attribute of a tensor, as the operator Constant has.
func Constant(name string, t Tensor) Attribute {
	return Attribute{name, 4, func(m *message) { m.message(5, t.encode()) }}
}

// Body is an attribute of a graph, as Loop and If have.
func Body(name string, g *Graph) Attribute {
	return Attribute{name, 5, func(m *message) { m.message(6, g.encode()) }}
}

func (a Attribute) message() []byte {
	var m message
	m.text(1, a.name)
	a.encode(&m)
	m.varint(20, a.kind)
	return m
}
