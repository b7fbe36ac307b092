#include "codec/base/thread_pool.h"

#include <algorithm>
#include <system_error>

namespace glyd {

ThreadPool::ThreadPool(unsigned threads) : max_threads_(std::max(threads, 1u)) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  task_ready_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::submit(Task& task) {
  {
    const std::lock_guard lock(mutex_);
    // idle_ counts workers waiting for a task; those already promised one are in the queue's length.
    if (queue_.size() < idle_ || start_worker()) {
      task.finished_ = false;
      queue_.push_back(&task);
      task_ready_.notify_one();
      return;
    }
  }
  task.run();
}

// Precondition: mutex_ is held. False when there is no worker to take the task.
bool ThreadPool::start_worker() {
  if (workers_.size() >= (caller_works() ? max_threads_ - 1 : max_threads_)) return true;
  try {
    workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // no more threads to be had: go on with those there are
    return !workers_.empty();
  }
  return true;
}

void ThreadPool::wait(Task& task) {
  std::unique_lock lock(mutex_);
  while (!task.finished_) {
    if (caller_works() && !queue_.empty()) {
      run_next(lock);
    } else {
      task_finished_.wait(lock);
    }
  }
}

// Precondition: `lock` holds mutex_ and the queue is not empty. Releases it while the task runs.
void ThreadPool::run_next(std::unique_lock<std::mutex>& lock) {
  Task* task = queue_.front();
  queue_.pop_front();
  lock.unlock();
  task->run();
  lock.lock();
  task->finished_ = true;
  task_finished_.notify_all();
}

bool ThreadPool::finished(const Task& task) const {
  const std::lock_guard lock(mutex_);
  return task.finished_;
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    task_ready_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    --idle_;
    if (stopping_) return;
    run_next(lock);
  }
}

}  // namespace glyd
