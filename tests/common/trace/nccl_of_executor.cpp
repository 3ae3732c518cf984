/// @file
/// A library with NCCL's functions: each calls the executor's, which the program that is linked with it has.

#include "tests/common/trace/nccl_abi.hpp"

ncclResult_t nccl_abi::ncclGetVersion(int* version) {
  return ::ncclGetVersion(version);
}
ncclResult_t nccl_abi::ncclCommCount(ncclComm_t comm, int* ranks) {
  return ::ncclCommCount(comm, ranks);
}
ncclResult_t nccl_abi::ncclCommUserRank(ncclComm_t comm, int* rank) {
  return ::ncclCommUserRank(comm, rank);
}
ncclResult_t nccl_abi::ncclSend(const void* send, size_t count, ncclDataType_t type, int to, ncclComm_t comm,
                                cudaStream_t stream) {
  return ::ncclSend(send, count, type, to, comm, stream);
}
ncclResult_t nccl_abi::ncclRecv(void* receive, size_t count, ncclDataType_t type, int from, ncclComm_t comm,
                                cudaStream_t stream) {
  return ::ncclRecv(receive, count, type, from, comm, stream);
}
ncclResult_t nccl_abi::ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type,
                                     int root, ncclComm_t comm, cudaStream_t stream) {
  return ::ncclBroadcast(send, receive, count, type, root, comm, stream);
}
ncclResult_t nccl_abi::ncclReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                                  ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return ::ncclReduce(send, receive, count, type, op, root, comm, stream);
}
ncclResult_t nccl_abi::ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                                     ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return ::ncclAllReduce(send, receive, count, type, op, comm, stream);
}
ncclResult_t nccl_abi::ncclAllGather(const void* send, void* receive, size_t count, ncclDataType_t type,
                                     ncclComm_t comm, cudaStream_t stream) {
  return ::ncclAllGather(send, receive, count, type, comm, stream);
}
ncclResult_t nccl_abi::ncclBcast(void* data, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                                 cudaStream_t stream) {
  return nccl_abi::ncclBroadcast(data, data, count, type, root, comm, stream);
}
ncclResult_t nccl_abi::ncclScatter(const void*, void*, size_t, ncclDataType_t, int, ncclComm_t,
                                   cudaStream_t) {
  return ncclSuccess;
}
ncclResult_t nccl_abi::ncclGather(const void*, void*, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
  return ncclSuccess;
}
ncclResult_t nccl_abi::ncclReduceScatter(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t,
                                         cudaStream_t) {
  return ncclSuccess;
}
ncclResult_t nccl_abi::ncclAlltoAll(const void*, void*, size_t, ncclDataType_t, ncclComm_t, cudaStream_t) {
  return ncclSuccess;
}
