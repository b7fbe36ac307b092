#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/model/model_fixtures.h"

// Files that the formats' own libraries wrote; data/README.md says how.
namespace glyd {
namespace {

testing::FileBytes file_bytes(const std::string& name) {
  std::ifstream file(std::string(GLYD_MODEL_TEST_DATA) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string listing_of(const std::string& name) {
  const testing::FileBytes file = file_bytes(name);
  EXPECT_FALSE(file.empty()) << name;
  const std::optional<ModelMap> map = testing::map_of(file);
  return map ? model_format_name(map->format) + std::string("\n") + testing::listing(*map) : "none";
}

TEST(LibraryModelFiles, Safetensors) {
  EXPECT_EQ(listing_of("numpy.safetensors"),
            "safetensors\n"
            "ids I64 int64 [5] 504+40\n"
            "empty F32 fp32 [0,4] 544+0\n"
            "scale F32 fp32 [] 544+4\n"
            "layer.weight BF16 bf16 [8,12] 548+192\n"
            "layer.bias F16 fp16 [12] 740+24\n"
            "f8 F8_E4M3 fp8-e4m3 [12] 764+12\n"
            "mask BOOL int8 [7] 776+7\n");
}

TEST(LibraryModelFiles, Gguf) {
  EXPECT_EQ(listing_of("small.gguf"),
            "gguf\n"
            "plain F32 fp32 [12,8] 2464+384\n"
            "half F16 fp16 [12,8] 2848+192\n"
            "q4_0 Q4_0 q4_0 [256,2] 3040+288\n"
            "q8_0 Q8_0 q8_0 [256,2] 3328+544\n"
            "bf16 BF16 bf16 [256,2] 3872+1024\n"
            "q6_k Q6_K q6_k [256,2] 4896+420\n"
            "iq2_xs IQ2_XS bytes [256,2] 5344+148\n");
}

TEST(LibraryModelFiles, Numpy) {
  EXPECT_EQ(listing_of("float32.npy"), "npy\narray <f4 fp32 [8,12] 128+384\n");
  EXPECT_EQ(listing_of("fortran_float64.npy"), "npy\narray <f8 fp64 [8,12] 128+768\n");
  EXPECT_EQ(listing_of("bfloat16.npy"), "npy\narray <V2 bf16 [8,12] 128+192\n");
  EXPECT_EQ(listing_of("arrays.npz"),
            "npz\n"
            "weight <f2 fp16 [8,12] 188+192\n"
            "ids <i4 int32 [5] 565+20\n"
            "names <U3 bytes [2] 772+24\n"
            "nested/bias <f4 fp32 [12] 989+48\n");
}

TEST(LibraryModelFiles, PytorchStateDict) {
  EXPECT_EQ(listing_of("state_dict.pt"),
            "pytorch\n"
            "0.weight float32 fp32 [3,4] 960+48\n"
            "0.bias float32 fp32 [3] 1088+12\n"
            "1.weight float32 fp32 [3] 1216+12\n"
            "1.bias float32 fp32 [3] 1344+12\n"
            "1.running_mean float32 fp32 [3] 1472+12\n"
            "1.running_var float32 fp32 [3] 1600+12\n"
            "1.num_batches_tracked int64 int64 [] 1728+8\n");
}

TEST(LibraryModelFiles, PytorchCheckpoint) {
  EXPECT_EQ(listing_of("checkpoint.pt"),
            "pytorch\n"
            "model.0.weight bfloat16 bf16 [3,4] 1600+24\n"
            "model.0.bias bfloat16 bf16 [3] 1728+6\n"
            "scalar int64 int64 [] 1856+8\n"
            "3 int8 int8 [2] 1984+2\n"
            "model.1.weight bfloat16 bf16 [3] 2112+6\n"
            "model.1.bias bfloat16 bf16 [3] 2240+6\n"
            "model.1.running_mean bfloat16 bf16 [3] 2368+6\n"
            "model.1.running_var bfloat16 bf16 [3] 2496+6\n"
            "model.1.num_batches_tracked int64 int64 [] 2624+8\n"
            "fp8 float8_e4m3fn fp8-e4m3 [5] 2752+5\n"
            "parameter float16 fp16 [2,3] 2880+12\n"
            "tied float32 fp32 [4,6] 3008+96\n"
            "list.0 float32 fp32 [6] 3032+24\n"
            "list.1 float32 fp32 [2,6] 3056+48\n");
}

TEST(LibraryModelFiles, PytorchModuleAndOptimizer) {
  EXPECT_EQ(listing_of("whole_module.pt"),
            "pytorch\n"
            "_modules.0._parameters.weight float32 fp32 [3,4] 1792+48\n"
            "_modules.0._parameters.bias float32 fp32 [3] 1920+12\n"
            "_modules.1._parameters.weight float32 fp32 [3] 2048+12\n"
            "_modules.1._parameters.bias float32 fp32 [3] 2176+12\n"
            "_modules.1._buffers.running_mean float32 fp32 [3] 2304+12\n"
            "_modules.1._buffers.running_var float32 fp32 [3] 2432+12\n"
            "_modules.1._buffers.num_batches_tracked int64 int64 [] 2560+8\n");
  const std::optional<ModelMap> map = testing::map_of(file_bytes("optimizer.pt"));
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->tensors.size(), 12u);
  EXPECT_NE(map->find("optimizer.state.3.exp_avg_sq"), nullptr);
}

}  // namespace
}  // namespace glyd
