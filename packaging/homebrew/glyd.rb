# A formula for building glyd from a checkout. There is no release yet, so it has no stable version and builds the
# head of the repository only:
#
#     git clone URL glyd && brew install --HEAD ./glyd/packaging/homebrew/glyd.rb
#
# CI builds on Debian; nobody has run this formula on macOS yet. What is known to need work there: the shared library
# is linked with a GNU ld version script (codec/CMakeLists.txt, cmake/glyd.map), which Apple's linker does not take, and the
# command finishes its output with Linux calls. On Linux, Homebrew's own GCC builds it.
class Glyd < Formula
  desc "Lossless compressor in independent, checked blocks"
  homepage "file://#{File.expand_path("../..", __dir__)}"
  license "BSD-3-Clause"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "fmt" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "scdoc" => :build
  depends_on "boost"
  depends_on :linux
  depends_on "lz4"
  depends_on "simdjson"
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DGLYD_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"content").write "the same line\n" * 1000
    system bin/"glyd", "content"
    system bin/"glyd", "-t", "content.glyd"
    assert_equal (testpath/"content").read, shell_output("#{bin}/glyd -dc content.glyd")
    assert_operator (testpath/"content.glyd").size, :<, 1000
  end
end
