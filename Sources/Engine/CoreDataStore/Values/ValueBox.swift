import CoreDataModeling

/// Converts values to the Foundation objects that result dictionaries contain.
package enum ValueBox {
    /// The Foundation object of a value; nil for nil and `NSNull`.
    package static func object(_ value: Any?) -> AnyObject? {
        guard let value, !(value is NSNull) else { return nil }
        if type(of: value) is AnyClass {
            guard let record = value as? any StoredRecordReference else { return value as AnyObject }
            return record.recordIdentity.base as AnyObject
        }
        switch value {
        case let text as String: return NSString(string: text)
        case let date as Date: return date as NSDate
        case let data as Data: return data as NSData
        case let uuid as UUID: return uuid as NSUUID
        case let url as URL: return url as NSURL
        case let decimal as Decimal: return NSDecimalNumber(decimal: decimal)
        case let integer as Int: return NSNumber.holding(Int64(integer))
        case let real as Double: return NSNumber.holding(real)
        default: return value as AnyObject
        }
    }

    /// The result of an expression as an object of the declared type; without conversion if the type is undefined.
    ///
    /// A date converts to a number as its seconds since the reference date, and a number converts to a date likewise.
    /// - Throws: `NSCoreDataError` with the column's name if the value cannot be converted.
    package static func object(_ value: Any?, as type: NSAttributeType, column: String) throws -> AnyObject? {
        guard let value, !(value is NSNull) else { return nil }
        switch type {
        case .undefinedAttributeType, .transformableAttributeType, .compositeAttributeType: return object(value)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return try number(value, column).integer.map { NSNumber(value: $0) }
        case .booleanAttributeType: return NSNumber(value: try number(value, column).double != 0)
        case .doubleAttributeType, .floatAttributeType: return NSNumber(value: try number(value, column).double)
        case .decimalAttributeType: return try number(value, column).decimal.map { NSDecimalNumber(decimal: $0) }
        case .dateAttributeType:
            return Date(timeIntervalSinceReferenceDate: try number(value, column).double) as NSDate
        case .stringAttributeType: return NSString(string: try text(value, column))
        case .binaryDataAttributeType where value is Data, .UUIDAttributeType where value is UUID,
            .URIAttributeType where value is URL:
            return object(value)
        case .objectIDAttributeType where value is any RecordReference: return object(value)
        default: throw unsuitable(value, column)
        }
    }

    private static func number(_ value: Any, _ column: String) throws -> ExactNumber {
        if let date = value as? Date { return .double(date.timeIntervalSinceReferenceDate) }
        guard let number = ExactNumber(value) else { throw unsuitable(value, column) }
        return number
    }

    private static func text(_ value: Any, _ column: String) throws -> String {
        if let text = value as? String { return text }
        if let url = value as? URL { return url.absoluteString }
        if let uuid = value as? UUID { return uuid.uuidString }
        guard let number = ExactNumber(value) else { throw unsuitable(value, column) }
        return number.text
    }

    private static func unsuitable(_ value: Any, _ column: String) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            "The expression description '\(column)' gives a \(Swift.type(of: value)), which its result type does not take.",
            hint: "Set expressionResultType to the type of the values.")
    }
}
