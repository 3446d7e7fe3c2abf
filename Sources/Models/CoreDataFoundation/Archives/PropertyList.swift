/// A value of a binary property list.
package indirect enum PropertyList: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    /// A reference to an object of a keyed archive, by its index.
    case uid(Int)
    case array([PropertyList])
    case set([PropertyList])
    case dictionary([String: PropertyList])

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var data: Data? { if case .data(let value) = self { value } else { nil } }
    package var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    package var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The value as Foundation's property lists have it: `NSNumber`, `String`, `Date`, `Data`, `[Any]`,
    /// `[String: Any]`.
    ///
    /// References and nulls, which occur only in keyed archives, become `NSNull`. The conversion is recursive.
    package var foundationValue: Any {
        switch self {
        case .null, .uid: NSNull()
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .date(let value): value
        case .data(let value): value
        case .string(let value): value
        case .array(let values), .set(let values): values.map(\.foundationValue)
        case .dictionary(let values): values.mapValues(\.foundationValue)
        }
    }
}

extension PropertyList {
    /// The text of a date in an XML property list.
    package static func text(_ date: Date) -> String { CalendarSeconds.text(date) }
}
