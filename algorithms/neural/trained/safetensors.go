package trained

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// EncodeSafetensors is the parameters as a safetensors file, which PyTorch and others read: the length of a header, the
// header as JSON, and all numbers (huggingface.co/docs/safetensors).
func (m *Model) EncodeSafetensors() ([]byte, error) {
	type tensor struct {
		Type    string `json:"dtype"`
		Shape   [2]int `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header, at := map[string]any{"__metadata__": map[string]string{"model": m.Name,
		"architecture": m.Architecture.Name}}, 0
	var data []byte
	for _, p := range m.Parameters {
		for _, x := range p.Numbers {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		header[p.Name] = tensor{"F32", [2]int{p.Rows, p.Width}, [2]int{at, len(data)}}
		at = len(data)
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	for len(text)%8 != 0 {
		text = append(text, ' ') // so that numbers are aligned
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), data...), nil
}
