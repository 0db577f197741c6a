// Nothing to call: the target is linked for its records.
