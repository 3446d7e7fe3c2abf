import CoreData

/// A buffer of UTF-8 for building texts with very many values: appending a value allocates no memory of its own.
///
/// Invariant: `count` bytes from `start` are initialized, and `count <= capacity`.
package struct ByteText: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes.
    package private(set) var count = 0

    package init(capacity: Int = 64) {
        self.capacity = max(capacity, 32)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// Calls `body` with the bytes, which are valid until something is appended.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The text so far.
    package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Removes all bytes and keeps the memory.
    package mutating func removeAll() { count = 0 }

    /// Removes all bytes after the first `length` ones.
    mutating func cut(to length: Int) { count = min(length, count) }

    @inline(__always) private mutating func makeRoom(_ additional: Int) {
        if capacity - count < additional { grow(additional) }
    }

    private mutating func grow(_ additional: Int) {
        let wanted = max(capacity * 2, count + additional)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity = wanted
    }

    @inline(__always) package mutating func append(_ byte: UInt8) {
        makeRoom(1)
        start[count] = byte
        count += 1
    }

    @inline(__always) package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        makeRoom(bytes.count)
        UnsafeMutableRawPointer(start + count).copyMemory(from: base, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always) package mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number's decimal digits, after a minus sign if it is negative.
    package mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude, digits: 1)
    }

    /// Appends a number's decimal digits, with leading zeros if it has fewer than `digits`.
    mutating func append(_ number: UInt64, digits: Int) {
        var length = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        length = max(length, digits)
        makeRoom(length)
        rest = number
        for place in stride(from: count + length - 1, through: count, by: -1) {
            start[place] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        }
        count += length
    }

    /// Appends a finite number in Swift's description: with the fewest digits that distinguish it.
    package mutating func append(_ number: Double) {
        var text = number.description
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
}
