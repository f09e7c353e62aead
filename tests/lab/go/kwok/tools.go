//go:build tools

// Package tools names the command that the lab builds, so that `go mod tidy` keeps its module.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
