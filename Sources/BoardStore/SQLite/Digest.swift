internal import COpenSSL

/// SHA-256, by which damage to stored bytes is noticed.
@safe
package struct Digest: ~Copyable {
    /// Bytes of a digest.
    static let byteCount = 32

    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new(),
            unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("OpenSSL has no memory or no SHA-256") }
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { bytes in
            unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        }
    }

    /// Adds the eight bytes of `number`, most significant first.
    mutating func update(_ number: Int) {
        update((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        let code = unsafe digest.withUnsafeMutableBufferPointer { digest in
            unsafe EVP_DigestFinal_ex(context, digest.baseAddress, nil)
        }
        precondition(code == 1, "OpenSSL gave no digest")
        return digest
    }
}
