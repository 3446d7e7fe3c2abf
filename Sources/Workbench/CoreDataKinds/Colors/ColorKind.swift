import CoreData

/// A colour: a text such as `#1e90ff`, four numbers with commas between, or an archive of AppKit's or UIKit's class.
struct ColorKind: ValueKind {
    let name = "color"
    let summary = "a colour"
    let types: Set<AttributeKind> = [.string, .binary, .transformable]

    private static let rule = GuessRule(words: ["color", "colour", "tint", "hex", "rgb"])

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { Self.components($0) != nil }
    }

    /// An archive of a colour is small, and its name may be any.
    func guessesByData(of attribute: KeyedAttribute) -> Bool {
        AttributeKind(attribute.description) == .transformable
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        let value = values[use.key]
        let text = KindValues.text(value) ?? ""
        guard let components = value.flatMap(Self.components) else { return .none(text, "it is no colour") }
        let hex = ColorText.hex(components)
        var reading = KindReading(text.isEmpty ? hex : text, entry: hex)
        reading.color = components
        return reading
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        guard AttributeKind(attribute) == .string else {
            throw refused(
                attribute, "a colour that is stored as an archive cannot be entered as a text",
                hint: "set it with a program that has the class")
        }
        let text = text.trimmingCharacters(in: .whitespaces)
        guard ColorText.components(text) != nil else {
            throw refused(
                attribute, "it is no colour",
                hint: "give a number sign and six hexadecimal digits, or eight with its opacity")
        }
        return text
    }

    static func components(_ value: Any) -> [Double]? {
        switch value {
        case let text as String: ColorText.components(text)
        case let data as Data: ArchivedColor(data)?.components
        default: nil
        }
    }
}

/// Colours as texts.
enum ColorText {
    /// Red, green, blue and alpha of `#rgb`, `#rgba`, `#rrggbb` and `#rrggbbaa` (CSS Color 4), and of four numbers from 0 to 1 with
    /// commas between; nil for another text.
    static func components(_ text: String) -> [Double]? {
        guard text.utf8.count <= 100 else { return nil }
        if text.hasPrefix("#") { return hex(text.dropFirst()) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard parts.count == 4, parts.allSatisfy({ $0.map { (0...1).contains($0) } ?? false }) else { return nil }
        return parts.compactMap(\.self)
    }

    private static func hex(_ digits: Substring) -> [Double]? {
        let values = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard values.count == digits.count else { return nil }
        let bytes: [Int]
        switch values.count {
        case 3, 4: bytes = values.map { $0 * 17 }
        case 6, 8: bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
        default: return nil
        }
        return (bytes.count == 3 ? bytes + [255] : bytes).map { Double($0) / 255 }
    }

    /// `#rrggbb`, or `#rrggbbaa` for a colour that is not opaque.
    static func hex(_ components: [Double]) -> String {
        let bytes = components.map { Int(($0 * 255).rounded()) }
        let shown = bytes.count == 4 && bytes[3] == 255 ? Array(bytes.prefix(3)) : bytes
        return "#" + shown.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
