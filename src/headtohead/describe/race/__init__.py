"""A race: subjects, a workload and a study, written from the words of a command line."""
