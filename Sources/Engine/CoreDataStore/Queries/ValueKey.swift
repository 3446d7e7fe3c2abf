import CoreDataModeling

/// A hashable form of a value for grouping and distinct results: two values have equal keys if and only if a database
/// considers them equal.
package enum ValueKey: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case bytes([UInt8])
    case record(AnyHashable)
    case other(AnyHashable)

    package init(_ value: Any?) {
        guard let value, !(value is NSNull) else {
            self = .null
            return
        }
        if let number = ExactNumber(value) {
            self.init(number)
            return
        }
        switch value {
        case let text as String: self = .bytes(Array(text.utf8))
        case let date as Date: self = .real(date.timeIntervalSinceReferenceDate)
        case let data as Data: self = .bytes(Array(data))
        case let url as URL: self = .bytes(Array(url.absoluteString.utf8))
        case let uuid as UUID: self = withUnsafeBytes(of: uuid.uuid) { .bytes(Array($0)) }
        case let record as any RecordReference: self = .record(record.recordIdentity)
        case let other as AnyHashable: self = .other(other)
        default: self = .other(ObjectIdentifier(value as AnyObject))
        }
    }

    private init(_ number: ExactNumber) {
        switch number {
        case .integer(let integer): self = .integer(integer)
        case .double(let real): self = Int64(exactly: real).map { .integer($0) } ?? .real(real)
        case .unsigned(let integer): self = .real(Double(integer))
        case .decimal(let decimal):
            let whole = number.integer
            self = whole.map { Decimal($0) } == decimal ? .integer(whole ?? 0) : .decimal(decimal)
        }
    }
}
