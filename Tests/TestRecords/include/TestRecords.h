// Nothing to call: linked for its records.
