import CoreData
import TestBasics

/// Values of attributes out of seeds, and their texts.
package enum ShapesValue {
    /// A value that the attribute can have; nil for one seed in six.
    package static func value(_ seed: UInt64, _ attribute: NSAttributeDescription) -> Any? {
        var random = SeededRandom(seed: seed)
        guard random.next(below: 6) > 0 else { return nil }
        if attribute.name == "file" { return Data(repeating: UInt8(seed & 255), count: fileSizes.pick(&random)) }
        switch attribute.attributeType {
        case .integer16AttributeType: return [Int16.min, .max, 0, -1, 77].pick(&random)
        case .integer32AttributeType: return [Int32.min, .max, 0, -1, 77_777].pick(&random)
        case .integer64AttributeType: return [Int64.min, .max, 0, -1, 1 << 53 + 1].pick(&random)
        case .booleanAttributeType: return random.next(below: 2) == 0
        case .doubleAttributeType:
            return [0.1, -1e308, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 3, .infinity].pick(&random)
        case .floatAttributeType: return [Float(0.1), -3.25e38, .leastNonzeroMagnitude, 16_777_216].pick(&random)
        case .decimalAttributeType:
            return NSDecimalNumber(
                string: ["0", "-12.34", "99999999.9999", "0.000001", "123456789012345"].pick(&random))
        case .stringAttributeType:
            return ["", "plain", "Größe 👩‍👩‍👧", "a\"b'c;--", "\u{0}zero", String(repeating: "long ", count: 900)]
                .pick(&random)
        case .dateAttributeType:
            return Date(timeIntervalSinceReferenceDate: [0, -1e9, 0.1, 700_000_000.123456].pick(&random))
        case .binaryDataAttributeType: return [Data(), Data([0]), Data(repeating: 7, count: 5_000)].pick(&random)
        case .UUIDAttributeType:
            let (high, low) = (random.next(), random.next())
            return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case .URIAttributeType: return URL(string: ["https://example.org/ä?q=1#f", "file:///tmp/x"].pick(&random))
        case .transformableAttributeType: return ["a", "\(random.next(below: 9))"] as NSArray
        default: return nil
        }
    }

    private static let fileSizes = [0, 10, 102_400, 102_401, 130_000]

    /// The text of a value, by which it is compared; nil for none.
    package static func text(_ value: Any?, _ attribute: NSAttributeDescription) -> String? {
        guard let value else { return nil }
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            return (value as? NSNumber).map { "\($0.int64Value)" }
        case .doubleAttributeType, .floatAttributeType:
            return (value as? NSNumber).map { String($0.doubleValue.bitPattern, radix: 16) }
        case .decimalAttributeType: return (value as? NSDecimalNumber)?.stringValue
        case .stringAttributeType: return (value as? String).map { Data($0.utf8).base64EncodedString().abbreviated }
        case .dateAttributeType:
            return (value as? Date).map { String($0.timeIntervalSinceReferenceDate.bitPattern, radix: 16) }
        case .binaryDataAttributeType:
            return (value as? Data)?.outline
        case .transformableAttributeType: return (value as? [String])?.joined(separator: ",")
        default: return "\(value)"
        }
    }
}

extension String {
    /// Long texts by their ends and length.
    fileprivate var abbreviated: String { utf8.count < 60 ? self : "\(prefix(20))…\(suffix(20)):\(utf8.count)" }
}

extension Array {
    /// One of the elements.
    package func pick(_ random: inout SeededRandom) -> Element { self[random.next(below: count)] }
}
