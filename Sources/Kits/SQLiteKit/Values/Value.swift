/// A value of one of SQLite's five storage classes, independent of any statement.
package enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Value {
    /// The storage class of the value.
    package var type: ValueType {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    /// The integer; nil if the value is not one.
    package var integer: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    /// The bytes; nil if the value is not a blob.
    package var blob: [UInt8]? {
        guard case .blob(let bytes) = self else { return nil }
        return bytes
    }

    /// The text; nil if the value is not one.
    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}
