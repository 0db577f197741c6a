// Package.swift explains this target, which has no code of its own.
