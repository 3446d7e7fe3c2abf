import CoreData

/// A change of an attribute from one type of numbers to another: numbers that fit, with what they become, and others.
package struct NumberPair: CustomStringConvertible, Sendable {
    package let old: NSAttributeType
    package let new: NSAttributeType
    private let texts: [(before: String, after: String)]
    private let refused: [String]

    package var description: String { "\(Self.name(old)) to \(Self.name(new))" }

    /// The values of before and what becomes of each.
    package var fitting: [(before: NSNumber, after: String)] {
        texts.map { (Self.number($0.before, old), Self.text(Self.number($0.after, new), new)) }
    }

    package var misfits: [NSNumber] { refused.map { Self.number($0, old) } }

    /// A number of a type in a form that no other number has; `nil` for none.
    package static func text(_ value: Any?, _ type: NSAttributeType) -> String {
        guard let number = value as? NSNumber else { return "nil" }
        return switch type {
        case .decimalAttributeType: (number as? NSDecimalNumber)?.decimalValue.description ?? "no decimal \(number)"
        case .doubleAttributeType, .floatAttributeType: "\(number.doubleValue)"
        default: "\(number.int64Value)"
        }
    }

    private static func number(_ text: String, _ type: NSAttributeType) -> NSNumber {
        switch type {
        case .decimalAttributeType: NSDecimalNumber(string: text)
        case .doubleAttributeType: NSNumber(value: Double(text) ?? .nan)
        case .floatAttributeType: NSNumber(value: Double(Float(text) ?? .nan))
        case .booleanAttributeType: NSNumber(value: text == "1")
        default: NSNumber(value: Int64(text) ?? 0)
        }
    }

    private static func name(_ type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType: "Integer 16"
        case .integer32AttributeType: "Integer 32"
        case .integer64AttributeType: "Integer 64"
        case .floatAttributeType: "Float"
        case .doubleAttributeType: "Double"
        case .decimalAttributeType: "Decimal"
        default: "Boolean"
        }
    }

    private init(
        _ old: NSAttributeType, _ new: NSAttributeType, _ same: [String], others: [(String, String)] = [],
        refused: [String] = []
    ) {
        (self.old, self.new, self.refused) = (old, new, refused)
        texts = same.map { ($0, $0) } + others.map { (before: $0.0, after: $0.1) }
    }

    /// Every pair of types that inference converts.
    package static let all: [NumberPair] = booleans + integers + fractions + decimals

    private static let booleans: [NumberPair] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .floatAttributeType,
        .doubleAttributeType, .decimalAttributeType,
    ].map { NumberPair(.booleanAttributeType, $0, ["0", "1"]) }

    private static let integers: [NumberPair] = [
        NumberPair(.integer16AttributeType, .integer32AttributeType, ["-32768", "0", "32767"]),
        NumberPair(.integer16AttributeType, .integer64AttributeType, ["-32768", "0", "32767"]),
        NumberPair(.integer16AttributeType, .floatAttributeType, ["-32768", "0", "32767"]),
        NumberPair(.integer16AttributeType, .doubleAttributeType, ["-32768", "0", "32767"]),
        NumberPair(.integer16AttributeType, .decimalAttributeType, ["-32768", "0", "32767"]),
        NumberPair(.integer32AttributeType, .integer16AttributeType, ["-32768", "7"], refused: ["32768", "-32769"]),
        NumberPair(.integer32AttributeType, .integer64AttributeType, ["-2147483648", "2147483647"]),
        NumberPair(.integer32AttributeType, .floatAttributeType, ["16777216", "-5"], refused: ["16777217"]),
        NumberPair(.integer32AttributeType, .doubleAttributeType, ["-2147483648", "2147483647"]),
        NumberPair(.integer32AttributeType, .decimalAttributeType, ["-2147483648", "2147483647"]),
        NumberPair(
            .integer64AttributeType, .integer16AttributeType, ["-32768", "7"], refused: ["9223372036854775807"]),
        NumberPair(
            .integer64AttributeType, .integer32AttributeType, ["-2147483648", "7"],
            refused: ["2147483648", "-9223372036854775808"]),
        NumberPair(
            .integer64AttributeType, .floatAttributeType, ["16777216", "1099511627776"],
            refused: ["16777217", "9223372036854775807"]),
        NumberPair(
            .integer64AttributeType, .doubleAttributeType, ["9007199254740992", "1152921504606846976"],
            refused: ["9007199254740993", "9223372036854775807"]),
        NumberPair(
            .integer64AttributeType, .decimalAttributeType, ["9223372036854775807", "-9223372036854775808"]),
    ]

    private static let fractions: [NumberPair] = [
        NumberPair(.floatAttributeType, .integer16AttributeType, ["-3", "100"], refused: ["0.5", "40000"]),
        NumberPair(.floatAttributeType, .integer32AttributeType, ["-3", "16777216"], refused: ["0.5", "4000000000"]),
        NumberPair(.floatAttributeType, .integer64AttributeType, ["-3", "1099511627776"], refused: ["0.5", "1e19"]),
        NumberPair(
            .floatAttributeType, .doubleAttributeType, ["-2.5"], others: [("0.1", "0.10000000149011612")]),
        NumberPair(.floatAttributeType, .decimalAttributeType, ["0.1", "19.99", "-5"]),
        NumberPair(.doubleAttributeType, .integer16AttributeType, ["-3", "32767"], refused: ["0.5", "32768"]),
        NumberPair(.doubleAttributeType, .integer32AttributeType, ["-3", "2147483647"], refused: ["0.5", "1e10"]),
        NumberPair(
            .doubleAttributeType, .integer64AttributeType, ["-3", "9007199254740992"],
            refused: ["0.5", "9223372036854775808"]),
        NumberPair(
            .doubleAttributeType, .floatAttributeType, ["0.5", "-7", "0"], others: [("0.1", "0.1")],
            refused: ["1e39", "-1e39", "1e-50"]),
        NumberPair(
            .doubleAttributeType, .decimalAttributeType, ["0.1", "-2.5", "12345678.125"], refused: ["1e130", "1e-120"]),
    ]

    private static let decimals: [NumberPair] = [
        NumberPair(.decimalAttributeType, .integer16AttributeType, ["12", "-32768"], refused: ["12.5", "40000"]),
        NumberPair(.decimalAttributeType, .integer32AttributeType, ["12", "2147483647"], refused: ["12.5", "1e12"]),
        NumberPair(
            .decimalAttributeType, .integer64AttributeType, ["12", "9223372036854775807"],
            refused: ["12.5", "9223372036854775808000"]),
        NumberPair(
            .decimalAttributeType, .floatAttributeType, ["0.1", "16777216", "-2.5"],
            refused: ["16777217", "123.456789"]),
        NumberPair(
            .decimalAttributeType, .doubleAttributeType, ["0.1", "-2.5", "1152921504606846976"],
            refused: ["9007199254740993"]),
    ]
}
