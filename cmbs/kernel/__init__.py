"""The reference kernel: the verbs inside a process, standard library alone."""
