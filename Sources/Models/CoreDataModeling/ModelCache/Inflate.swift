import CZlib
import CoreDataFoundation

/// Expands a raw DEFLATE stream (RFC 1951, no header), the form of the model in a store, or a gzip stream (RFC 1952),
/// within limits.
package enum Inflate {
    /// Whether data begins like a gzip stream.
    package static func isGzip(_ data: Data) -> Bool { data.starts(with: [0x1F, 0x8B, 8]) }

    /// Expands a gzip stream.
    ///
    /// - Throws: as `expand` does.
    package static func gunzip(_ data: Data, limit: Int) throws -> Data {
        try expand(data, limit: limit, ratio: 1_100, window: 31)
    }

    /// - Parameters:
    ///   - limit: the largest number of bytes of the result.
    ///   - ratio: the largest ratio of the result's size, beyond the first megabyte, to that of the input.
    /// - Throws: `ModelingError`: `.limitExceeded` for a larger result, `.malformed` for a stream that is damaged or
    ///   ends early.
    static func expand(_ data: Data, limit: Int, ratio: Int = 200, window: Int32 = -15) throws -> Data {
        guard data.count <= limit else { throw tooLarge(limit) }
        let bound = min(limit, (1 << 20) + data.count * ratio)
        var stream = z_stream()
        guard inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ModelingError(.unreadable, "there is no memory to expand the stream")
        }
        defer { inflateEnd(&stream) }
        var input = [UInt8](data)
        return try input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            return try run(&stream, bound: bound)
        }
    }

    private static func run(_ stream: inout z_stream, bound: Int) throws -> Data {
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let (status, produced) = buffer.withUnsafeMutableBufferPointer { target in
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return (inflate(&stream, Z_NO_FLUSH), target.count - Int(stream.avail_out))
            }
            guard output.count + produced <= bound else { throw tooLarge(bound) }
            output.append(contentsOf: buffer[..<produced])
            if status == Z_STREAM_END { return output }
            guard status == Z_OK, produced > 0 || stream.avail_in > 0 else {
                throw ModelingError(.malformed, "the compressed stream is damaged or ends early")
            }
        }
    }

    private static func tooLarge(_ bound: Int) -> ModelingError {
        ModelingError(.limitExceeded, "the compressed stream expands to more than \(bound) bytes")
    }
}
