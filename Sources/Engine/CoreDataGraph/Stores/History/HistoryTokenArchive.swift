import CoreDataStore

/// The format of a history token in an archive, which is this library's own.
///
/// The bytes are, with all numbers in little-endian order: `CDHT`; the format version 1 in one byte; the number of
/// stores in two bytes; for each store, sorted by identifier, the length of the identifier in two bytes, the identifier
/// in UTF-8, and the transaction's number in eight bytes; and last the FNV-1a checksum of all bytes before it in eight
/// bytes.
enum HistoryTokenArchive {
    /// The key of the bytes in the archived object.
    static let key = "OpenCoreDataHistoryToken"
    private static let head: [UInt8] = Array("CDHT".utf8) + [1]
    private static let sumWidth = 8

    static func bytes(of numbers: [String: Int64]) -> [UInt8] {
        // Numbers that do not fit are clamped; such an archive, not expected in practice, is refused when it is read.
        var bytes = head + littleEndian(UInt16(clamping: numbers.count))
        for (identifier, number) in numbers.sorted(by: { $0.key < $1.key }) {
            bytes += littleEndian(UInt16(clamping: identifier.utf8.count))
            bytes += identifier.utf8
            bytes += littleEndian(number)
        }
        return bytes + littleEndian(sum(of: bytes[...]))
    }

    /// Reads the numbers in an archive's bytes; nil if they are not in this format.
    static func numbers(in bytes: [UInt8]) -> [String: Int64]? {
        guard bytes.count >= head.count + sumWidth, bytes.starts(with: head) else { return nil }
        var rest = bytes.dropFirst(head.count)
        let end = bytes[(bytes.count - sumWidth)...]
        guard Array(end) == littleEndian(sum(of: bytes.dropLast(sumWidth))) else { return nil }
        rest = rest.dropLast(sumWidth)
        guard let count = take(UInt16.self, from: &rest) else { return nil }
        var numbers: [String: Int64] = [:]
        for _ in 0..<count {
            guard let length = take(UInt16.self, from: &rest), Int(length) <= rest.count,
                let identifier = String(validating: rest.prefix(Int(length)), as: UTF8.self)
            else { return nil }
            rest = rest.dropFirst(Int(length))
            guard let number = take(Int64.self, from: &rest), number >= 0,
                numbers.updateValue(number, forKey: identifier) == nil
            else { return nil }
        }
        return rest.isEmpty ? numbers : nil
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Reads and removes the number at the beginning of the bytes; nil if there are too few.
    private static func take<Number: FixedWidthInteger>(
        _ type: Number.Type, from bytes: inout ArraySlice<UInt8>
    ) -> Number? {
        let width = MemoryLayout<Number>.size
        guard bytes.count >= width else { return nil }
        defer { bytes = bytes.dropFirst(width) }
        return bytes.prefix(width).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private static func sum(of bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
