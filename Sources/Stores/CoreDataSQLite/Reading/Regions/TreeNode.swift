import SQLiteKit

/// The bytes of a node of an R-tree with two dimensions: entries of a number and four bounds.
///
/// Source: sqlite.org/rtree.html, 7.2: a depth (of the root alone) and a count of 16 bits, then entries of a key or child of 64
/// bits and bounds of 32 bits, all big-endian.
struct TreeNode {
    private static let (header, entry) = (4, 24)
    private let bytes: UnsafeRawBufferPointer
    let count: Int

    /// - Returns: nil if the bytes are too few for their count.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.header else { return nil }
        count = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        guard bytes.count >= Self.header + count * Self.entry else { return nil }
        self.bytes = bytes
    }

    /// The levels below the root.
    var depth: Int { Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt16.self))) }

    /// The key of a row, or the number of a child. The index must be below `count`.
    func number(_ index: Int) -> Int64 {
        Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: Self.header + index * Self.entry, as: Int64.self))
    }

    /// The bounds of an entry, whose first dimension is the latitude, unless they are the other way round.
    func box(_ index: Int, isLongitudeFirst: Bool) -> TreeBox {
        let start = Self.header + index * Self.entry + 8
        func bound(_ number: Int) -> Double {
            let bits = bytes.loadUnaligned(fromByteOffset: start + number * 4, as: UInt32.self)
            return Double(Float(bitPattern: UInt32(bigEndian: bits)))
        }
        return isLongitudeFirst
            ? TreeBox(south: bound(2), north: bound(3), west: bound(0), east: bound(1))
            : TreeBox(south: bound(0), north: bound(1), west: bound(2), east: bound(3))
    }
}
