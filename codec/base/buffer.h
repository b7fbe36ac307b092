#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "codec/base/status.h"

namespace glyd {

// Memory for a block: not initialised, grown by reserve(), never shrunk before release().
class Buffer {
 public:
  // Makes at least `size` bytes usable; what was in them is lost when the buffer has to grow. Errors: kOutOfMemory.
  // Pages are only taken from the system as they are written to.
  Status reserve(size_t size);
  void release() {
    data_.reset();
    capacity_ = 0;
  }
  uint8_t* data() { return data_.get(); }
  const uint8_t* data() const { return data_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t[], Free> data_;
  size_t capacity_ = 0;
};

}  // namespace glyd
