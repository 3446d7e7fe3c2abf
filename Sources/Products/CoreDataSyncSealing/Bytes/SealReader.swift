/// Reads bytes from outside: every count is checked before it is used.
struct SealReader {
    private let bytes: ArraySlice<UInt8>
    private var offset: Int

    init(_ bytes: some Collection<UInt8>) {
        self.bytes = ArraySlice(bytes)
        offset = self.bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - offset }

    /// - Throws: ``SealFailure`` with `damaged` if there are fewer bytes.
    mutating func raw(_ count: Int) throws(SealFailure) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw .damaged }
        offset += count
        return Array(bytes[offset - count..<offset])
    }

    mutating func fixed(_ count: Int) throws(SealFailure) -> UInt64 {
        var number: UInt64 = 0
        for (place, byte) in try raw(count).prefix(8).enumerated() { number |= UInt64(byte) << UInt64(8 * place) }
        return number
    }

    mutating func fingerprint() throws(SealFailure) -> Fingerprint { Fingerprint(try raw(Fingerprint.size)) }

    /// A text of at most so many bytes.
    mutating func text(atMost limit: Int) throws(SealFailure) -> String {
        let count = Int(try fixed(2))
        guard count <= limit, let text = String(validating: try raw(count), as: UTF8.self) else { throw .damaged }
        return text
    }

    /// Fingerprints in ascending order, each once.
    mutating func fingerprints() throws(SealFailure) -> Set<Fingerprint> {
        let count = Int(try fixed(4))
        guard count <= remaining / Fingerprint.size else { throw .damaged }
        var last: Fingerprint?
        var all: Set<Fingerprint> = []
        for _ in 0..<count {
            let next = try fingerprint()
            if let last, next <= last { throw .damaged }
            all.insert(next)
            last = next
        }
        return all
    }

    /// - Throws: ``SealFailure`` with `damaged` unless zeros alone are left.
    mutating func padding() throws(SealFailure) {
        guard bytes[offset...].allSatisfy({ $0 == 0 }) else { throw .damaged }
        offset = bytes.endIndex
    }

    /// - Throws: ``SealFailure`` with `damaged` if bytes are left.
    func finish() throws(SealFailure) { guard remaining == 0 else { throw .damaged } }
}
