import CZlib
import CoreDataFoundation

/// Compresses data to a raw DEFLATE stream (RFC 1951, no header), the form of the model in a store.
enum Deflate {
    /// - Throws: `ModelingError` `.unreadable` if memory cannot be allocated.
    static func compress(_ data: Data) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { throw ModelingError(.unreadable, "there is no memory to compress the model") }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        // A buffer of this size is large enough to compress everything in one call.
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw ModelingError(.unreadable, "the model cannot be compressed") }
        return Data(output.dropLast(Int(stream.avail_out)))
    }
}
