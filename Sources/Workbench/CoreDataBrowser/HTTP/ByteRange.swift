/// The range of bytes that a `Range` header field asks for.
enum ByteRange: Equatable {
    /// All bytes: the field is missing, or is ignored, such as one with several ranges.
    case whole
    case part(Range<Int>)
    /// The range contains no byte of the value.
    case unsatisfiable

    /// Parses the field for a value of `count` bytes.
    init(_ field: String?, count: Int) {
        guard let field, field.hasPrefix("bytes="), !field.contains(",") else {
            self = .whole
            return
        }
        let sides = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            self = .whole
            return
        }
        switch (sides[0].isEmpty, sides[1].isEmpty) {
        case (true, true): self = .whole
        case (true, false):
            // A number too large for Int exceeds every count of bytes.
            let last = Int(sides[1]) ?? .max
            self = last > 0 && count > 0 ? .part(max(0, count - last)..<count) : .unsatisfiable
        case (false, _):
            let (start, end) = (Int(sides[0]) ?? .max, sides[1].isEmpty ? Int.max : Int(sides[1]) ?? .max)
            guard start <= end else {
                self = .whole
                return
            }
            self = start < count ? .part(start..<min(count, end == .max ? .max : end + 1)) : .unsatisfiable
        }
    }
}
