"""Methods to compare with: clustering, unsupervised prototypes, chance."""
