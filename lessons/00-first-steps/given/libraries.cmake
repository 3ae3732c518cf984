# The peer: CUB, which nvcc brings along, on a GPU.
set(lesson_peers_of_gpu cub)
