// Package onnx writes models in ONNX's format: a graph of operators as a protobuf message.
// It knows the format and no operator: what a node means is for the runtime to check.
//
//	Graph{Inputs, Initializers, Nodes, Outputs} ──Model──▶ bytes for ort.Runtime.NewSession
//
// Models are of IR version 8 with operator set 18, which every runtime since 2023 reads. Nothing
// here reads a model.
package onnx
