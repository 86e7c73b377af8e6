// Command penstock-device-cuda is the CUDA device as a plugin of its own:
//
//	penstock plugin install ./penstock-device-cuda
//	penstock run … --device cuda
package main

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda"
)

func main() { plugins.Serve(cuda.FromEnvironment()) }
