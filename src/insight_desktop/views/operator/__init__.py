"""Pages of the area Operator: the profile of one kernel."""
