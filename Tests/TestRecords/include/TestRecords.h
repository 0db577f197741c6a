// This target declares nothing. Tests link it for its records.
