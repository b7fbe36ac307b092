#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "codec/transform/transform.h"

namespace glyd {

// The workspaces of a pool's workers: as many as ever ran at once, handed on from block to block.
class WorkspacePool {
 public:
  // A workspace for the life of the lease.
  class Lease {
   public:
    explicit Lease(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(workspace_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace& operator*() { return *workspace_; }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

 private:
  std::unique_ptr<Workspace> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Workspace>();
    std::unique_ptr<Workspace> workspace = std::move(free_.back());
    free_.pop_back();
    return workspace;
  }
  void give_back(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

// How many blocks may be in flight with `threads` threads: one being worked on by each, one being filled, and one being
// emptied.
constexpr unsigned blocks_in_flight(unsigned threads) {
  return threads + 2;
}

// The worker threads to use: `asked`, or one for each processor when that is 0; not more than there are blocks to
// work on, nor more than fit into `limit` bytes at `memory(threads)`. 0 when not even one fits.
template <typename Memory>
unsigned choose_threads(unsigned asked, uint64_t blocks, uint64_t limit, Memory memory) {
  unsigned threads = asked != 0 ? asked : std::max(std::thread::hardware_concurrency(), 1u);
  threads = static_cast<unsigned>(std::min<uint64_t>({threads, std::max<uint64_t>(blocks, 1), 1024}));
  while (threads > 0 && memory(threads) > limit) --threads;
  return threads;
}

}  // namespace glyd
