// This header declares nothing, because the target is linked only for its records.
