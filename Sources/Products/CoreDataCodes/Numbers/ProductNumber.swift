/// The number of a product on its package: EAN-13, EAN-8, UPC-A or UPC-E, with a valid check digit.
///
/// Two numbers are equal if their thirteen digits are: a UPC-A is the EAN-13 that begins with a zero, and a UPC-E a shorter way to
/// write some UPC-A. An EAN-8 is a number of its own and is filled up with zeros, as GTIN does.
public struct ProductNumber: Hashable, Sendable, CustomStringConvertible {
    /// Thirteen digits.
    public let digits: String

    /// A number of 13, 12 or 8 digits; spaces and hyphens between them are left out. Eight digits are taken as EAN-8.
    ///
    /// Nil if there are other characters, another count of digits, or the last digit is not the check digit of the others.
    public init?(_ text: String) {
        guard let values = Self.values(text), [8, 12, 13].contains(values.count), Self.isValid(values) else {
            return nil
        }
        digits = Self.filled(values)
    }

    /// A UPC-E of eight digits: the system digit 0 or 1, six digits, and the check digit. Nil if it is none.
    public init?(upcE text: String) {
        guard let values = Self.values(text), values.count == 8, values[0] <= 1 else { return nil }
        let (six, last) = (Array(values[1...6]), values[6])
        let body: [Int] =
            switch last {
            case 0...2: six[0..<2] + [last, 0, 0, 0, 0] + six[2..<5]
            case 3: six[0..<3] + [0, 0, 0, 0, 0] + six[3..<5]
            case 4: six[0..<4] + [0, 0, 0, 0, 0] + six[4..<5]
            default: six[0..<5] + [0, 0, 0, 0, last]
            }
        let whole = [values[0]] + body + [values[7]]
        guard Self.isValid(whole) else { return nil }
        digits = Self.filled(whole)
    }

    /// Thirteen digits.
    public var description: String { digits }

    /// The check digit of digits without one; nil for a text with other characters.
    public static func checkDigit(of text: String) -> Int? { values(text).map { checkDigit($0) } }

    private static func checkDigit(_ values: some BidirectionalCollection<Int>) -> Int {
        // From the right, digits count three times and once in turn.
        let sum = values.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 3 : 1) }
        return (10 - sum % 10) % 10
    }

    private static func isValid(_ values: [Int]) -> Bool { checkDigit(values.dropLast()) == values.last }

    private static func filled(_ values: [Int]) -> String {
        String(repeating: "0", count: 13 - values.count) + values.map(String.init).joined()
    }

    private static func values(_ text: String) -> [Int]? {
        guard text.utf8.count <= 40 else { return nil }
        var values: [Int] = []
        for byte in text.utf8 where byte != 0x20 && byte != 0x2D {
            guard (0x30...0x39).contains(byte) else { return nil }
            values.append(Int(byte - 0x30))
        }
        return values.isEmpty ? nil : values
    }
}
