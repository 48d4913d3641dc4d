"""Machines that answer a study: what they are asked, how their answers are read, and the loop that asks a model."""
