#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace glyd {

// A fixed number of threads that run tasks in the order in which they were submitted. The caller keeps its tasks in
// its own order and waits for them one by one: that is what makes the output independent of the number of threads.
//
// With two threads or more, the caller is one of them: while it waits it runs queued tasks. One worker more would make
// three threads compete for two processors, and the caller, who feeds and empties the others, would lose. With one
// thread the caller only waits, so that its reading and writing go on beside the work.
class ThreadPool {
 public:
  // A unit of work. It belongs to the caller and must outlive its run: after submit() and until wait() returns it
  // must not be touched.
  class Task {
   public:
    virtual ~Task() = default;
    // Called once on a worker. Must not throw; errors go into the task.
    virtual void run() = 0;

   private:
    friend class ThreadPool;
    bool finished_ = true;  // guarded by the pool's mutex
  };

  // `threads` (at least 1), the caller among them from two on; each is started when a task finds no idle one.
  explicit ThreadPool(unsigned threads);
  // Waits for the running tasks and drops those that have not begun.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned threads() const { return max_threads_; }

  // Queues `task`. When the system gives no thread at all, runs it here and now.
  void submit(Task& task);
  // Returns when `task` has run; at once for a task that was never submitted.
  void wait(Task& task);
  // Whether wait() would return at once.
  bool finished(const Task& task) const;

 private:
  void work();
  bool start_worker();
  bool caller_works() const { return max_threads_ > 1; }
  void run_next(std::unique_lock<std::mutex>& lock);

  const unsigned max_threads_;
  mutable std::mutex mutex_;
  std::condition_variable task_ready_;
  std::condition_variable task_finished_;
  std::deque<Task*> queue_;
  std::vector<std::thread> workers_;
  unsigned idle_ = 0;
  bool stopping_ = false;
};

}  // namespace glyd
