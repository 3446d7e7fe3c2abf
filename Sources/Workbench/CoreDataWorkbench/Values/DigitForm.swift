/// Parses a text of digits and punctuation marks from its start.
struct DigitForm {
    /// Valid only during the call of `reading`.
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    /// Runs a block that parses a text.
    static func reading<Result>(_ text: String, _ body: (inout DigitForm) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in
            var form = DigitForm(bytes: bytes)
            return body(&form)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// Skips a mark of one byte; returns false if the next byte is another one.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    /// Parses a number of exactly `count` digits; nil if there are fewer.
    mutating func number(_ count: Int) -> Int64? {
        guard let found = digits(atMost: count), found.count == count else { return nil }
        return found.number
    }

    /// The number formed by the next digits, up to a maximal count; nil without digits. Beyond 18 digits the number is
    /// undefined.
    mutating func digits(atMost most: Int) -> (number: Int64, count: Int)? {
        var (number, count): (Int64, Int) = (0, 0)
        while count < most, place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
            number = number &* 10 &+ Int64(bytes[place] - UInt8(ascii: "0"))
            place += 1
            count += 1
        }
        return count > 0 ? (number, count) : nil
    }
}
