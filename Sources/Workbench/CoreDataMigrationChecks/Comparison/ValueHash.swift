import CoreDataGraph

/// Computes 64-bit hashes that are the same in every process, unlike those of `Hasher`. A sum of them compares values
/// in any order.
struct ValueHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of a value of an attribute; tags make values of different types hash differently.
    static func of(_ value: Any?, _ type: NSAttributeType) -> UInt64 {
        var hash = ValueHash()
        hash.add(value, type)
        // Sums of unmixed FNV hashes would collide too easily.
        return hash.state.mixedBits
    }

    /// The hash of some numbers, in their order.
    static func of(_ numbers: Int64...) -> UInt64 {
        var hash = ValueHash()
        for number in numbers { hash.add(UInt64(bitPattern: number)) }
        return hash.state.mixedBits
    }

    /// A text for the comparison of values of one attribute: only equal values have equal texts.
    static func text(of value: Any?) -> String {
        switch value {
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        case let value?: "\(value)"
        case nil: ""
        }
    }

    private mutating func add(_ value: Any?, _ type: NSAttributeType) {
        switch value {
        case nil: add(bytes: [0])
        case let text as String: add(tag: 1, text.utf8)
        case let data as Data: add(tag: 2, data)
        case let date as Date: add(tag: 3, date.timeIntervalSinceReferenceDate)
        case let uuid as UUID: add(tag: 4, uuid.uuidString.utf8)
        case let url as URL: add(tag: 5, url.absoluteString.utf8)
        case let number as NSDecimalNumber: add(tag: 6, number.stringValue.utf8)
        case let values as [String: Any]:
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                add(tag: 9, key.utf8)
                add(value, .undefinedAttributeType)
            }
        case let number as NSNumber: add(number, type)
        case let number as Double: add(tag: 8, number)
        case let number as Float: add(tag: 8, Double(number))
        case let number as Int: add(tag: 7, "\(number)".utf8)
        case let flag as Bool: add(tag: 7, (flag ? "1" : "0").utf8)
        case let value?: add(tag: 10, "\(value)".utf8)
        }
    }

    private mutating func add(_ number: NSNumber, _ type: NSAttributeType) {
        switch type {
        case .doubleAttributeType, .floatAttributeType: add(tag: 8, number.doubleValue)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            add(tag: 7, "\(number.int64Value)".utf8)
        default: add(tag: 8, number.doubleValue)
        }
    }

    private mutating func add(tag: UInt8, _ bytes: some Sequence<UInt8>) {
        add(bytes: [tag])
        add(bytes: bytes)
        // The end is marked, so that two texts differ from their concatenation.
        add(bytes: [0xFF, tag])
    }

    private mutating func add(tag: UInt8, _ number: Double) {
        add(bytes: [tag])
        add((number == 0 ? 0 : number).bitPattern)
    }

    private mutating func add(_ number: UInt64) {
        add(bytes: (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    private mutating func add(bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
