#include "codec/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace glyd {
namespace {

struct Square : ThreadPool::Task {
  int in = 0;
  int out = 0;
  std::thread::id ran_on;
  void run() override {
    out = in * in;
    ran_on = std::this_thread::get_id();
  }
};

TEST(ThreadPool, RunsEveryTaskAndHandsOverItsResult) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    ThreadPool pool(threads);
    std::vector<Square> tasks(1000);
    std::set<std::thread::id> workers;
    for (size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].in = static_cast<int>(i);
      pool.submit(tasks[i]);
    }
    for (size_t i = 0; i < tasks.size(); ++i) {
      pool.wait(tasks[i]);
      EXPECT_TRUE(pool.finished(tasks[i]));
      EXPECT_EQ(tasks[i].out, static_cast<int>(i * i));
      workers.insert(tasks[i].ran_on);
    }
    EXPECT_LE(workers.size(), std::max(threads, 1u));
    // A lone worker leaves the caller free; from two threads on the caller may be one of them.
    if (threads <= 1) {
      EXPECT_FALSE(workers.contains(std::this_thread::get_id()));
    }
  }
}

TEST(ThreadPool, TakesATaskAgainAfterItRan) {
  ThreadPool pool(2);
  Square task;
  for (int i = 0; i < 500; ++i) {
    task.in = i;
    pool.submit(task);
    pool.wait(task);
    ASSERT_EQ(task.out, i * i);
  }
}

struct Gate : ThreadPool::Task {
  std::atomic<bool>* open = nullptr;
  std::atomic<int>* ran = nullptr;
  void run() override {
    while (!open->load()) std::this_thread::yield();
    ran->fetch_add(1);
  }
};

TEST(ThreadPool, DestructorWaitsForWhatRunsAndDropsTheRest) {
  std::atomic<bool> open = false;
  std::atomic<int> ran = 0;
  std::vector<Gate> tasks(50);
  std::thread opener;
  {
    ThreadPool pool(1);
    for (Gate& task : tasks) {
      task.open = &open;
      task.ran = &ran;
      pool.submit(task);
    }
    opener = std::thread([&] { open = true; });
  }
  opener.join();
  const int after = ran;
  EXPECT_LE(after, 50);
  std::this_thread::yield();
  EXPECT_EQ(ran, after);
}

}  // namespace
}  // namespace glyd
