import CZlib
import CoreDataStore

/// Reads numbers and bytes of a file in pieces. Allocates no more memory than the file has bytes, whatever lengths the
/// file claims.
final class ByteInput {
    private let next: () throws -> [UInt8]
    private var piece: [UInt8] = []
    private var position = 0
    /// The checksum of the bytes that were read since the last `resetChecksum()`.
    private(set) var checksum = crc32(0, nil, 0)

    init(_ next: @escaping () throws -> [UInt8]) { self.next = next }

    /// Starts a new checksum with the next byte that is read.
    func resetChecksum() { checksum = crc32(0, nil, 0) }

    /// - Throws: a `LoadFailure` if the file has fewer bytes left.
    func bytes(_ count: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            if position == piece.count {
                piece = try next()
                position = 0
                guard !piece.isEmpty else { throw LoadFailure("the file is cut off", at: nil) }
            }
            let part = piece[position..<min(piece.count, position + count - result.count)]
            position += part.count
            result += part
        }
        checksum = RecordFile.sum(result, checksum)
        return result
    }

    func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let bytes = try bytes(MemoryLayout<Number>.size)
        return Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) })
    }

    /// Reads a text of at most 64 KiB.
    func text() throws -> String {
        let count = try number(UInt32.self)
        guard count <= 1 << 16, let text = String(validating: try bytes(Int(count)), as: UTF8.self) else {
            throw LoadFailure("a name is none", at: nil)
        }
        return text
    }

    /// Whether all of the file has been read.
    func isAtEnd() throws -> Bool {
        guard position == piece.count else { return false }
        piece = try next()
        position = 0
        return piece.isEmpty
    }
}

extension [UInt8] {
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(text: String) {
        append(number: UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
