/// Writes the fields of sealed items and statements, which are fixed in size or carry their counts.
struct SealWriter {
    private(set) var bytes: [UInt8] = []

    init(_ magic: String = "") { bytes = Array(magic.utf8) }

    mutating func raw(_ more: some Sequence<UInt8>) { bytes += more }

    /// So many bytes of a number, the least first.
    mutating func fixed(_ number: UInt64, _ count: Int) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }

    /// Two bytes of a count, and the UTF-8.
    mutating func text(_ text: String) {
        let content = Array(text.utf8.prefix(Int(UInt16.max)))
        fixed(UInt64(content.count), 2)
        raw(content)
    }

    /// Four bytes of a count, and the fingerprints in ascending order.
    mutating func fingerprints(_ all: some Collection<Fingerprint>) {
        fixed(UInt64(all.count), 4)
        for one in all.sorted() { raw(one.bytes) }
    }

    /// Zeros up to a count of bytes in all.
    mutating func pad(to count: Int) {
        if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
    }
}
